// The grep, find and ls tools on trees as they occur: ignored, binary, huge, linked in circles.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPattern } from "../../src/search/pattern.ts";
import { searchFile } from "../../src/search/search-file.ts";
import { putFiles } from "../put-files.ts";
import { only, type Rig, runTool, startRig } from "../rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
});

const files = (content: Record<string, string>) => putFiles(rig.directory, content);
const grep = async (args: object) => (await runTool(rig, "grep", args)).text;

describe("grep", () => {
  it("[W122] answers path:line: text, in the order of names, below any path and for any glob", async () => {
    files({
      "a/one.ts": "import x\nconst needle = 1;\r\n\nneedle();",
      "a/two.js": "no\nneedle",
      "b.md": "Needle",
    });
    expect(await grep({ pattern: "needle", path: "a" })).toBe(
      "one.ts:2: const needle = 1;\none.ts:4: needle();\ntwo.js:2: needle",
    );
    expect(await grep({ pattern: "^needle\\b", glob: "*.ts" })).toBe("a/one.ts:4: needle();");
    expect(await grep({ pattern: "needle", glob: "a/**/*.{js,md}" })).toBe("a/two.js:2: needle");
    expect(await grep({ pattern: "(?i)^needle$" })).toBe("a/two.js:2: needle\nb.md:1: Needle");
    expect(await grep({ pattern: "needle();", literal: true })).toBe("a/one.ts:4: needle();");
    expect(await grep({ pattern: "needle", path: "b.md", ignoreCase: true })).toBe("b.md:1: Needle");
    expect(await grep({ pattern: "nowhere to be found" })).toBe("no matches");
  });

  it("[W122] shows lines around a match, each once", async () => {
    files({ "c/x.txt": "1\n2\nhit\n4\nhit\n6\n7\n8\n9\n10\nhit\n", "c/y.txt": "hit" });
    expect((await grep({ pattern: "hit", path: "c", context: 1 })).split("\n")).toEqual([
      "x.txt-2- 2",
      "x.txt:3: hit",
      "x.txt-4- 4",
      "x.txt:5: hit",
      "x.txt-6- 6",
      "--",
      "x.txt-10- 10",
      "x.txt:11: hit",
      "--",
      "y.txt:1: hit",
    ]);
  });

  it("[W123] is bounded: matches, long lines and bytes; and says that there is more", async () => {
    files({
      "d/many.txt": "x\n".repeat(5_000),
      "d/wide.txt": `${"a".repeat(60_000)}NEEDLE${"b".repeat(60_000)}`,
    });
    const many = await grep({ pattern: "x", path: "d/many.txt" });
    expect(many.split("\n")).toHaveLength(101);
    expect(many).toMatch(/\n\[100 matches shown, there are more; narrow it down, or raise limit\]$/);
    const wide = await grep({ pattern: "NEEDLE", path: "d/wide.txt" });
    expect(wide).toMatch(/^wide\.txt:1: …a+NEEDLEb+… \[line of 120006 characters\]$/);
    expect(wide.length).toBeLessThan(500);
    files({ "d/long.txt": `${"y".repeat(300)}\n`.repeat(2_000) });
    expect((await grep({ pattern: "y", path: "d/long.txt", limit: 2000 })).length).toBeLessThan(52_000);
  });

  it("[W123] binary files are left out, huge ones are searched to the end", async () => {
    const line = `${"z".repeat(99)}\n`;
    files({ "e/bin.dat": "needle\0needle", "e/huge.txt": `${line.repeat(50_000)}needle here\n` });
    expect(await grep({ pattern: "needle", path: "e" })).toBe("huge.txt:50001: needle here");
  });

  it("[W123] links in circles, pipes and devices hold nobody up", async () => {
    files({ "f/x/a.txt": "needle" });
    symlinkSync("..", join(rig.directory, "f/x/up"));
    symlinkSync("/dev/zero", join(rig.directory, "f/zero"));
    execFileSync("mkfifo", [join(rig.directory, "f/pipe")]);
    expect(await grep({ pattern: "needle", path: "f" })).toBe("x/a.txt:1: needle");
    expect(await grep({ pattern: "needle", path: "f/x/up/x" })).toBe("a.txt:1: needle");
  });

  it("[W123] mistakes are said in words", async () => {
    expect(await grep({ pattern: "(" })).toMatch(/not a valid regular expression .* set literal/);
    expect(await grep({ pattern: "x", path: "no/such" })).toBe("no/such does not exist");
    expect(await grep({ pattern: "" })).toMatch(/bad arguments for grep: pattern/);
  });

  it("[W124] a pattern that never comes to an end is ended by an abort, and the worker answers meanwhile", async () => {
    files({ "g/evil.txt": `${"a".repeat(60)}!` });
    rig.model.reply({ toolCalls: [{ name: "grep", args: { pattern: "^(a+)+$", path: "g" } }] });
    rig.worker.send({ type: "prompt", message: "go" });
    await rig.worker.next((frame) => frame.type === "turn_end");
    expect(await rig.worker.ask({ type: "ping" })).toMatchObject({ success: true });
    await rig.worker.ask({ type: "abort" });
    const result = await rig.worker.next("tool_result");
    expect(result).toMatchObject({ is_error: true, content: [{ text: "aborted" }] });
    await rig.worker.next("done");
  });

  it("[W122] finds in any text what line by line would be found", () => {
    const directory = mkdtempSync(join(tmpdir(), "patchbay-grep-"));
    const file = join(directory, "x");
    const line = fc.stringMatching(/^[ab \r]{0,6}$/);
    const pattern = fc.constantFrom(
      "a",
      "ab",
      "^a",
      "b$",
      "a\\s*b",
      "[^a]b",
      "a*",
      "(a|b)b",
      "^$",
      "a.b",
      "a+b?",
      "\\ba",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), pattern, (lines, ended, source) => {
        const text = lines.join("\n") + (ended ? "\n" : "");
        writeFileSync(file, text);
        const whole = text.endsWith("\n") ? text.slice(0, -1) : text;
        const expected =
          text === ""
            ? []
            : whole
                .split("\n")
                .flatMap((part, index) =>
                  new RegExp(source).test(part.replace(/\r$/, "")) ? [index + 1] : [],
                );
        const found: number[] = [];
        searchFile(file, readPattern(source, { literal: false, ignoreCase: false }), null, (hit) => {
          found.push(hit.number);
          return true;
        });
        expect(found).toEqual(expected);
      }),
      { numRuns: 400 },
    );
    rmSync(directory, { recursive: true });
  });

  it("[W122] what rules a file out unread rules out no match", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      "ab",
      "\\.",
      ".",
      "a?",
      "b*",
      "b+",
      "\\w",
      "\\x61",
      "[ab]",
      "(b)",
      "^",
      "\\b",
    );
    fc.assert(
      fc.property(
        fc.array(atom, { minLength: 1, maxLength: 5 }),
        fc.stringMatching(/^[ab.]{0,8}$/),
        (atoms, text) => {
          const { regex, needle } = readPattern(atoms.join(""), { literal: false, ignoreCase: false });
          regex.lastIndex = 0;
          if (needle !== null && regex.test(text)) expect(text).toContain(needle.toString());
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("find and ls", () => {
  it("[W126] find: names at any depth, paths with a slash, bounded", async () => {
    files({
      "h/x/one.test.ts": "",
      "h/x/two.ts": "",
      "h/.env": "",
      "h/skip/no.ts": "",
      "h/.gitignore": "skip",
    });
    const find = async (args: object) => (await runTool(rig, "find", { path: "h", ...args })).text;
    expect(await find({ pattern: "*.ts" })).toBe("x/one.test.ts\nx/two.ts");
    expect(await find({ pattern: "x/*.{test.ts,md}" })).toBe("x/one.test.ts");
    expect(await find({ pattern: "x" })).toBe("x/");
    expect(await find({ pattern: ".env" })).toBe(".env");
    expect(await find({ pattern: "*.ts", limit: 1 })).toBe(
      "x/one.test.ts\n[1 paths shown, there are more; narrow it down, or raise limit]",
    );
    expect(await find({ pattern: "*.rs" })).toBe("nothing found");
  });

  it("[W126] ls: everything in a directory, and where links lead", async () => {
    files({ "i/b": "", "i/.c": "", "i/d/x": "" });
    symlinkSync("b", join(rig.directory, "i/link"));
    expect((await runTool(rig, "ls", { path: "i" })).text).toBe(".c\nb\nd/\nlink -> b");
    expect((await runTool(rig, "ls", { path: "i", limit: 1 })).text).toBe(
      ".c\n[3 more; raise limit to see them]",
    );
    expect((await runTool(rig, "ls", { path: "i/b" })).isError).toBe(true);
  });

  it("[W126] `--tools` knows them, and the model is told of those it has", async () => {
    await using few = await startRig({ args: ["--tools", "grep,find,ls"] });
    few.model.reply({ text: "ok" });
    expect(only(await few.worker.prompt("hi"), "done")).toHaveLength(1);
    const body = JSON.stringify(few.model.requests[0]?.body);
    for (const name of ["grep", "find", "ls"]) expect(body).toContain(`"name":"${name}"`);
    expect(body).not.toContain('"name":"bash"');
  });
});

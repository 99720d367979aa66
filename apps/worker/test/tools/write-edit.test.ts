// The write and edit tools: whole files, exact replacements, and everything that must stay as it was.
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyTranscript, foldTranscript, readFrameValue } from "@patchbay/protocol";
import { applyPatch } from "diff";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applyEdits } from "../../src/tools/files/apply-edits.ts";
import { dig, only, type Rig, runTool, startRig } from "../rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
});

const at = (name: string) => join(rig.directory, name);
const text = (name: string) => readFile(at(name), "utf8");

describe("write", () => {
  const write = (path: string, content: string) => runTool(rig, "write", { path, content });

  it("[W46] creates with missing directories, replaces, and says what it wrote without echoing it", async () => {
    expect((await write("deep/er/a.txt", "eins\nzwölf\n")).text).toBe(
      "created deep/er/a.txt: 12 bytes, 2 lines",
    );
    expect((await write("deep/er/a.txt", "")).text).toBe("replaced deep/er/a.txt: 0 bytes, 0 lines");
    expect(await text("deep/er/a.txt")).toBe("");
  });

  it("[W46] keeps the mode, writes through a symbolic link, and leaves no temporary file", async () => {
    await writeFile(at("run.sh"), "old");
    await chmod(at("run.sh"), 0o776);
    await symlink("run.sh", at("link.sh"));
    await write("link.sh", "new");
    expect(await text("run.sh")).toBe("new");
    expect((await stat(at("run.sh"))).mode & 0o777).toBe(0o776);
    expect((await lstat(at("link.sh"))).isSymbolicLink()).toBe(true);
    expect((await readdir(rig.directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("[W46] a directory or a device in the way is refused and untouched", async () => {
    await mkdir(at("dir"), { recursive: true });
    expect(await write("dir", "x")).toMatchObject({
      isError: true,
      text: expect.stringContaining("is a directory"),
    });
    expect(await write("/dev/null", "x")).toMatchObject({ isError: true });
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
    expect(await write("run.sh/x.txt", "x")).toMatchObject({ isError: true });
  });
});

describe("edit", () => {
  const edit = (path: string, ...edits: { oldText: string; newText: string }[]) =>
    runTool(rig, "edit", { path, edits });

  it("[W47] answers with a diff: three lines around each change, and where they are", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    await writeFile(at("e.txt"), `${lines.join("\n")}\n`);
    const run = await edit(
      "e.txt",
      { oldText: "line 5\n", newText: "five\n" },
      { oldText: "line 25", newText: "line 25\nand a half" },
    );
    expect(run).toMatchObject({ isError: false });
    expect(run.text.split("\n")).toEqual([
      "@@ -2,7 +2,7 @@",
      " line 2",
      " line 3",
      " line 4",
      "-line 5",
      "+five",
      " line 6",
      " line 7",
      " line 8",
      "@@ -23,6 +23,7 @@",
      " line 23",
      " line 24",
      " line 25",
      "+and a half",
      " line 26",
      " line 27",
      " line 28",
    ]);
    expect(await text("e.txt")).toContain("\nfive\n");
  });

  it("[W120] the page gets a unified diff that makes the one file of the other, in the frame and in the message", async () => {
    const before = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join("");
    await writeFile(at("u.txt"), before);
    const run = await edit(
      "u.txt",
      { oldText: "line 3\n", newText: "" },
      { oldText: "line 30", newText: "30" },
    );
    const details = dig(only(run.frames, "tool_result")[0], "details");
    expect(details).toMatchObject({ path: "u.txt", added: 1, removed: 2 });
    const diff = String(dig(details, "diff"));
    expect(diff).toMatch(/^--- a\/u\.txt\n\+\+\+ b\/u\.txt\n@@ -1,7 \+1,6 @@\n/);
    expect(applyPatch(before, diff)).toBe(await text("u.txt"));
    const { data } = await rig.worker.ask({ type: "get_messages" });
    expect(JSON.stringify(data)).toContain(JSON.stringify(diff));
    const folded = run.frames.reduce((transcript, frame) => {
      const reading = readFrameValue(frame);
      return reading.kind === "frame" ? foldTranscript(transcript, reading.frame) : transcript;
    }, emptyTranscript);
    expect(JSON.stringify(folded.messages)).toContain(JSON.stringify(diff));
    expect(JSON.stringify(rig.model.requests.at(-1)?.body)).not.toContain("+++ b/u.txt");
  });

  it("[W120] of a written file too: of a new one all of it, of a replaced one what changed", async () => {
    const written = (content: string) => runTool(rig, "write", { path: "w.txt", content });
    const first = dig(only((await written("a\nb\n")).frames, "tool_result")[0], "details");
    expect(first).toMatchObject({ added: 2, removed: 0, diff: expect.stringContaining("--- /dev/null\n") });
    const second = dig(only((await written("a\nc\n")).frames, "tool_result")[0], "details");
    expect(second).toMatchObject({ added: 1, removed: 1 });
    expect(applyPatch("a\nb\n", String(dig(second, "diff")))).toBe("a\nc\n");
  });

  it("[W48] all or nothing: one bad edit and the file is untouched", async () => {
    await writeFile(at("n.txt"), "a a b c");
    const good = { oldText: "b", newText: "B" };
    const cases: [{ oldText: string; newText: string }, RegExp][] = [
      [{ oldText: "zzz", newText: "x" }, /edit 2: oldText was not found in n\.txt/],
      [{ oldText: "a", newText: "x" }, /edit 2: oldText matches 2 times in n\.txt/],
      [{ oldText: "", newText: "x" }, /edit 2: oldText is empty/],
      [{ oldText: "c", newText: "c" }, /edit 2: oldText equals newText/],
      [{ oldText: "b c", newText: "x" }, /overlap/],
    ];
    for (const [bad, words] of cases) {
      const run = await edit("n.txt", good, bad);
      expect(run).toMatchObject({ isError: true, text: expect.stringMatching(words) });
      expect(await text("n.txt")).toBe("a a b c");
    }
  });

  it("[W49] CRLF and BOM stay; LF in oldText matches CRLF; new lines take the file's ending", async () => {
    await writeFile(at("win.txt"), "\uFEFFone\r\ntwo\r\nthree\r\n");
    const run = await edit("win.txt", { oldText: "two\nthree", newText: "2\n3\n4" });
    expect(run.text).toBe("@@ -1,3 +1,4 @@\n one\n-two\n-three\n+2\n+3\n+4");
    expect(await text("win.txt")).toBe("\uFEFFone\r\n2\r\n3\r\n4\r\n");
  });

  it("[W49] what is not replaced keeps its bytes, also where line endings are mixed", () => {
    const line = fc.tuple(fc.stringMatching(/^[a-c\u00e9]{0,4}$/), fc.constantFrom("\n", "\r\n"));
    fc.assert(
      fc.property(fc.array(line), fc.array(line), fc.boolean(), (before, after, breaks) => {
        const join = (lines: [string, string][]) => lines.map((pair) => pair.join("")).join("");
        const original = `${join(before)}<UNIQUE\r\nMARK>${join(after)}`;
        const edited = applyEdits(
          original,
          [{ oldText: "<UNIQUE\nMARK>", newText: breaks ? "x\ny" : "x" }],
          "f",
        );
        expect(edited.startsWith(join(before))).toBe(true);
        expect(edited.endsWith(join(after))).toBe(true);
        expect(edited.slice(join(before).length, edited.length - join(after).length)).toMatch(
          breaks ? /^x\r?\ny$/ : /^x$/,
        );
      }),
    );
  });

  it("[W49] special replacement patterns are text", async () => {
    await writeFile(at("d.txt"), "price");
    await edit("d.txt", { oldText: "price", newText: "$& $1 $$" });
    expect(await text("d.txt")).toBe("$& $1 $$");
  });

  it("[W48] missing, binary and non-UTF-8 files are refused and untouched", async () => {
    expect((await edit("no.txt", { oldText: "a", newText: "b" })).text).toBe(
      "no.txt does not exist; create it with write",
    );
    const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
    await writeFile(at("latin.txt"), latin);
    expect(await edit("latin.txt", { oldText: "caf", newText: "b" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("not UTF-8"),
    });
    expect(await readFile(at("latin.txt"))).toEqual(latin);
    await writeFile(at("zero.bin"), "a\0b");
    expect(await edit("zero.bin", { oldText: "a", newText: "b" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("binary"),
    });
    expect(await runTool(rig, "edit", { path: "d.txt", edits: [] })).toMatchObject({ isError: true });
  });
});

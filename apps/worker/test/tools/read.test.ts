// The read tool against files as they really occur: long, binary, missing, odd.
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, runTool, startRig } from "../rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
});

const file = (name: string, content: string | Uint8Array) => writeFile(join(rig.directory, name), content);
const read = (args: unknown) => runTool(rig, "read", args);
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("read", () => {
  it("[W42] gives the text as it is, without line numbers", async () => {
    await file("a.txt", "\tone\r\ntwo  \n\nthree — 🦩");
    expect(await read({ path: "a.txt" })).toMatchObject({
      text: "\tone\r\ntwo  \n\nthree — 🦩",
      isError: false,
    });
    expect(await read({ path: join(rig.directory, "a.txt") })).toMatchObject({ isError: false });
  });

  it("[W43] offset and limit reach any line, and the result says how to go on", async () => {
    await file("long.txt", numbered(300_000));
    expect((await read({ path: "long.txt", offset: 299_999 })).text).toBe("line 299999\nline 300000\n");
    expect((await read({ path: "long.txt", offset: 150_000, limit: 2 })).text).toBe(
      "line 150000\nline 150001\n... [more lines follow; continue with offset=150002]",
    );
    const first = (await read({ path: "long.txt" })).text;
    expect(first.split("\n")).toHaveLength(2001);
    expect(first).toMatch(/line 2000\n\.\.\. \[truncated at 2000 lines; continue with offset=2001\]$/);
    expect((await read({ path: "long.txt", offset: 300_001 })).text).toBe(
      "offset 300001 is past the end: long.txt has 300000 lines",
    );
    expect((await read({ path: "long.txt", offset: 300_000, limit: 1 })).text).toBe("line 300000\n");
  });

  it("[W43] following the offsets gives the whole file, each line once", async () => {
    const lines = Array.from({ length: 3_500 }, (_, index) => `${index} ${"é".repeat(index % 90)}`);
    await file("walk.txt", `${lines.join("\n")}\n`);
    const seen: string[] = [];
    for (let offset = 1; ; ) {
      const { text } = await read({ path: "walk.txt", offset });
      const more = /\n\.\.\. \[truncated .*offset=(\d+)\]$/.exec(text);
      seen.push(...text.slice(0, more?.index ?? -1).split("\n"));
      if (more === null) break;
      offset = Number(more[1]);
    }
    expect(seen).toEqual(lines);
  });

  it("[W43] a line longer than the limit is cut, and says so", async () => {
    await file("wide.txt", `${"x".repeat(200_000)}\nnext\n`);
    const { text } = await read({ path: "wide.txt" });
    expect(text).toMatch(
      /^x{51200}\n\.\.\. \[line 1 is longer than 51200 bytes and was cut; the next one is offset=2/,
    );
    expect((await read({ path: "wide.txt", offset: 2 })).text).toBe("next\n");
  });

  it("[W44] an image comes back as an image, with its data", async () => {
    const bytes = Buffer.from("iVBORw0KGgo=", "base64");
    await file("dot.PNG", bytes);
    const run = await read({ path: "dot.PNG" });
    expect(run.content).toEqual([
      { type: "image", mime_type: "image/png", bytes: bytes.length, data: "iVBORw0KGgo=" },
    ]);
    expect(JSON.stringify(rig.model.requests.at(-1)?.body)).toContain("iVBORw0KGgo=");
    await file("huge.png", new Uint8Array(4_000_000));
    expect(await read({ path: "huge.png" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("too large"),
    });
  });

  it("[W45] binary, missing, directory, pipe, device and loop are refused in words; nothing hangs", async () => {
    await file("data.bin", new Uint8Array([65, 0, 66]));
    await mkdir(join(rig.directory, "folder"));
    await promisify(execFile)("mkfifo", [join(rig.directory, "pipe")]);
    await symlink("loop", join(rig.directory, "loop"));
    const cases: [string, string][] = [
      ["data.bin", "data.bin looks binary; refusing to read as text"],
      ["none.txt", "none.txt does not exist"],
      ["folder", "folder is a directory; list it with ls"],
      ["pipe", "pipe is not an ordinary file"],
      ["/dev/zero", "/dev/zero is not an ordinary file"],
      ["loop", "loop is a symbolic link that leads in a circle"],
      ["a.txt/b", "a.txt/b cannot be reached: a part of its path is a file"],
    ];
    await file("a.txt", "");
    for (const [path, text] of cases) expect(await read({ path })).toMatchObject({ isError: true, text });
  });

  it("[W45] an empty file, bad UTF-8 and bad numbers", async () => {
    await file("empty.txt", "");
    expect(await read({ path: "empty.txt" })).toMatchObject({ text: "(empty.txt is empty)", isError: false });
    await file("latin.txt", new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
    expect((await read({ path: "latin.txt" })).text).toBe("caf\uFFFD");
    for (const args of [
      { path: "empty.txt", offset: 0 },
      { path: "empty.txt", limit: -1 },
      { path: "" },
      {},
    ]) {
      expect(await read(args)).toMatchObject({
        isError: true,
        text: expect.stringContaining("bad arguments for read"),
      });
    }
  });
});

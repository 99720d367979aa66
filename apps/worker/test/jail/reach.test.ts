// The fence around files: no path, link or race leads out of it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Confinement } from "../../src/jail/jail.ts";
import { walk } from "../../src/search/walk.ts";
import { fileSize, findPlace, locate, openFile, readUtf8, replaceFile } from "../../src/tools/files/files.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-fence-")));
const cwd = join(base, "in");
const out = join(base, "out");
afterAll(() => rmSync(base, { recursive: true, force: true }));
const reset = (): void => {
  for (const directory of [cwd, out]) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(join(directory, "d"), { recursive: true });
    writeFileSync(join(directory, "f"), directory === cwd ? "inside" : "SECRET");
    writeFileSync(join(directory, "d/f"), directory === cwd ? "inside" : "SECRET");
  }
};
beforeEach(reset);

const fence = {
  inside: [cwd],
  hidden: [join(cwd, "hidden")],
  outside: "is outside the working directory. The sandbox allows",
};
const jail: Confinement = {
  read: fence,
  write: fence,
  locate: (path) => path,
  start: async () => null,
};
const place = { cwd, jail };
const read = (path: string) => readUtf8(locate(path, place), path, place);
const write = (path: string) => replaceFile(locate(path, place), path, "OVERWRITTEN", place);

/** Everything outside as it must stay. */
const outside = (): unknown =>
  readdirSync(out, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, entry.isFile() ? readFileSync(path, "utf8") : null];
  });

describe("the fence", () => {
  it("[W140] outside is refused in words, by path, by link and through what does not exist yet", async () => {
    symlinkSync(out, join(cwd, "dir-link"));
    symlinkSync("../out/f", join(cwd, "file-link"));
    symlinkSync(join(out, "new"), join(cwd, "dangling"));
    symlinkSync("dangling", join(cwd, "chain"));
    const before = outside();
    const paths = [
      "../out/f",
      join(out, "f"),
      "dir-link/f",
      "file-link",
      "dir-link/d/f",
      "/etc/passwd",
      "~/.ssh/id",
    ];
    for (const path of paths) {
      await expect(read(path)).rejects.toThrow(/is outside the working directory. The sandbox allows/);
      await expect(write(path)).rejects.toThrow(/is outside the working directory/);
    }
    for (const path of ["dangling", "chain", "dir-link/new", "dir-link/a/b/c", "../out/new"]) {
      await expect(write(path)).rejects.toThrow(/is outside the working directory/);
    }
    for (const path of ["dir-link", "..", "/", out])
      await expect(findPlace(path, place)).rejects.toThrow(/outside/);
    await expect(fileSize(join(out, "f"), "f", place)).rejects.toThrow(/outside/);
    expect(outside()).toEqual(before);
  });

  it("[W140] inside, links, new directories and everything else work as ever; hidden places do not", async () => {
    symlinkSync("d", join(cwd, "link"));
    expect(await read("link/f")).toBe("inside");
    await write("link/f");
    await write("a/b/c/new");
    expect(readFileSync(join(cwd, "d/f"), "utf8")).toBe("OVERWRITTEN");
    expect(readFileSync(join(cwd, "a/b/c/new"), "utf8")).toBe("OVERWRITTEN");
    expect(readdirSync(join(cwd, "a/b/c"))).toEqual(["new"]);
    mkdirSync(join(cwd, "hidden"));
    writeFileSync(join(cwd, "hidden/key"), "SECRET");
    await expect(read("hidden/key")).rejects.toThrow(/outside/);
    expect([...walk(cwd, fence)].map(({ path }) => path)).not.toContain("hidden/key");
    symlinkSync("loop", join(cwd, "loop"));
    await expect(read("loop")).rejects.toThrow(/leads in a circle/);
  });

  it("[W140] for any links anywhere, nothing outside is read or changed", async () => {
    const name = fc.constantFrom("f", "d", "x", "y");
    const target = fc.constantFrom(
      "../out",
      "../out/f",
      "../out/d",
      "../out/new",
      "..",
      ".",
      "d",
      "x",
      "y",
      out,
      join(out, "d/f"),
      "../in/y",
      "/",
    );
    const path = fc.array(fc.constantFrom("f", "d", "e", "x", "y", "..", "out", "in", "new"), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(name, fc.boolean(), target), { maxLength: 4 }),
        path,
        async (links, parts) => {
          reset();
          for (const [link, deep, to] of links) {
            const at = join(cwd, deep ? "e" : "", link);
            mkdirSync(join(cwd, "e"), { recursive: true });
            rmSync(at, { recursive: true, force: true });
            symlinkSync(to, at);
          }
          const before = outside();
          const wanted = parts.join("/");
          const got = await read(wanted).catch(() => "");
          await write(wanted).catch(() => {});
          expect(got).not.toContain("SECRET");
          expect(outside()).toEqual(before);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.runIf(process.platform === "linux")(
    "[W141] a directory that is swapped for a link all the time leads nobody out",
    async () => {
      const swap = `const fs=require("fs");const {renameSync:mv}=fs;process.chdir(${JSON.stringify(cwd)});
      fs.symlinkSync("../out/d","evil");process.stdout.write("go");
      const rest=new Int32Array(new SharedArrayBuffer(4));
      for(let i=0;;i++){try{mv("d","real");mv("evil","d");mv("d","evil");mv("real","d")}catch{}if(i%40===0)Atomics.wait(rest,0,0,1)}`;
      const swapper = spawn(process.execPath, ["-e", swap], { stdio: ["ignore", "pipe", "inherit"] });
      try {
        await once(swapper.stdout, "data");
        const before = outside();
        let reached = 0;
        // Now and then the swapper rests, and a reader gets through.
        for (let round = 0; round < 300 || reached === 0; round++) {
          const got = await read("d/f").catch(() => "");
          expect(got).not.toContain("SECRET");
          if (got !== "") reached++;
          await write("d/new").catch(() => {});
          for (const found of walk(cwd, fence)) expect(found.full.startsWith(cwd)).toBe(true);
        }
        expect(outside()).toEqual(before);
      } finally {
        swapper.kill("SIGKILL");
        await once(swapper, "exit");
      }
    },
  );

  it("[W140] what was opened is asked where it is: a handle from outside is not given out", async () => {
    await using handle = await openFile(join(cwd, "f"), "f", place);
    expect(await handle.readFile("utf8")).toBe("inside");
    symlinkSync(join(out, "f"), join(cwd, "late"));
    await expect(openFile(join(cwd, "late"), "late", place)).rejects.toThrow(/outside/);
  });
});

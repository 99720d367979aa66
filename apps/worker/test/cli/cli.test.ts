// `patchbay ext …` as a person runs it: the built program, real directories, a real git repository.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { workerPath } from "@patchbay/testing/worker-client";
import { describe, expect, it } from "vitest";
import { writeExtension } from "../extensions/kit.ts";

const program = join(dirname(workerPath), "cli.mjs");

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function box() {
  const base = await mkdtemp(join(tmpdir(), "patchbay-cli-"));
  const home = join(base, "home");
  const project = join(base, "project");
  await mkdir(project, { recursive: true });
  const args = (words: readonly string[]): string[] => [
    program,
    "ext",
    ...words,
    "--home",
    home,
    "--cwd",
    project,
  ];
  const ext = (...words: string[]): Promise<Ran> =>
    new Promise((resolve) => {
      const child = execFile(process.execPath, args(words), { cwd: base }, (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
      );
      child.stdin?.end();
    });
  const source = join(base, "src", "hello");
  await writeExtension(source, "hello", { source: "hello();", manifest: { version: "2.1.0", mine: [1] } });
  return {
    base,
    home,
    project,
    source,
    extensions: join(home, "extensions"),
    args,
    ext,
    [Symbol.asyncDispose]: () => rm(base, { recursive: true, force: true }),
  };
}

describe("patchbay ext", () => {
  it("[E50] install copies a directory, list shows it, disable and enable change only that, remove deletes it", async () => {
    await using on = await box();
    expect((await on.ext("list")).err).toContain("patchbay ext install <path|git-url>");
    const done = await on.ext("install", on.source);
    expect(done).toMatchObject({ code: 0, err: "" });
    expect(done.out).toContain(`Installed hello 2.1.0 in ${join(on.extensions, "hello")}`);
    expect(await readdir(on.extensions)).toEqual(["hello"]);
    expect((await on.ext("list")).out).toMatch(/global +hello +2\.1\.0 +enabled /);
    expect((await on.ext("disable", "hello")).out).toContain("hello is disabled in new sessions");
    expect((await on.ext("disable", "hello")).out).toContain("disabled already");
    const manifest = JSON.parse(await readFile(join(on.extensions, "hello", "extension.json"), "utf8"));
    expect(Object.keys(manifest)).toEqual(["name", "version", "exec", "args", "mine", "enabled"]);
    expect((await on.ext("list")).out).toMatch(/ disabled /);
    expect((await on.ext("enable", "hello")).code).toBe(0);
    expect(await on.ext("remove", "hello")).toMatchObject({
      code: 1,
      err: "patchbay: cannot ask for confirmation here. Use --yes to delete it.\n",
    });
    expect((await on.ext("remove", "hello", "--yes")).code).toBe(0);
    expect(await readdir(on.extensions)).toEqual([]);
  });

  it("[E50] a git repository is cloned; one without a manifest leaves nothing behind", async () => {
    await using on = await box();
    const git = (...words: string[]): void =>
      void execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: on.source });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "one");
    const installed = await on.ext("install", `file://${on.source}`);
    expect(installed).toMatchObject({ code: 0 });
    expect(await readdir(on.extensions)).toEqual(["hello"]);
    await on.ext("remove", "hello", "-y");
    git("rm", "-q", "extension.json");
    git("commit", "-qm", "two");
    const refused = await on.ext("install", `file://${on.source}`);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain("not installed: it has no extension.json");
    const absent = await on.ext("install", `file://${on.base}/nowhere.git`);
    expect(absent.err).toMatch(/git could not clone/);
    expect(await readdir(on.extensions)).toEqual([]);
  });

  it("[E51] a copy that fails, or is not whole, leaves nothing behind", async () => {
    await using on = await box();
    await writeExtension(join(on.base, "unbuilt"), "unbuilt", {
      source: "",
      manifest: { exec: "./bin/run" },
    });
    expect((await on.ext("install", join(on.base, "unbuilt"))).err).toContain(
      "its program ./bin/run does not exist",
    );
    execFileSync("mkfifo", [join(on.source, "pipe")]); // nothing that can be copied
    const failed = await on.ext("install", on.source);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.err).toContain("not installed");
    expect(await readdir(on.extensions)).toEqual([]);
  });

  it("[E51] wrong input is answered with what to do", async () => {
    await using on = await box();
    const words = async (...given: string[]): Promise<string> => {
      const { code, err } = await on.ext(...given);
      expect(code).toBe(1);
      return err;
    };
    expect(await words("dance")).toContain('unknown command "patchbay ext dance". Run "patchbay ext --help"');
    expect(await words("install")).toContain("needs a directory or the address of a git repository");
    expect(await words("install", "/no/such")).toContain("/no/such does not exist");
    expect(await words("install", program)).toContain("is not a directory");
    expect(await words("install", on.project)).toContain("extension.json: the file does not exist");
    expect(await words("enable", "ghost")).toContain('no extension "ghost". No extensions are installed.');
    expect(await words("list", "--what")).toContain("--what");
    await on.ext("install", on.source);
    expect(await words("install", on.source)).toContain("already exists. Remove it first");
    expect(await words("install", join(on.extensions, "hello"))).toContain("is already installed");
    const twin = join(on.base, "twin");
    await writeExtension(twin, "hello", { source: "" });
    expect(await words("install", twin)).toContain("is already an extension named hello");
    expect((await on.ext("--help")).out).toContain("patchbay ext list");
  });

  it("[E51] a name that could mean two is not guessed; a path says which", async () => {
    await using on = await box();
    await on.ext("install", on.source);
    const local = join(on.project, ".patchbay", "extensions", "hello");
    await writeExtension(local, "hello", { source: "" });
    const { code, err } = await on.ext("disable", "hello");
    expect(code).toBe(1);
    expect(err).toContain("matches several extensions");
    expect(err).toContain(local);
    expect((await on.ext("disable", local)).code).toBe(0);
    expect((await on.ext("list")).out).toMatch(/project +hello +1\.0\.0 +disabled/);
    await on.ext("enable", local);
    expect((await on.ext("list")).out).toMatch(/project +hello +1\.0\.0 +not trusted/);
    await writeFile(join(on.home, "trusted.json"), JSON.stringify({ directories: [on.project] }));
    expect((await on.ext("list")).out).toMatch(/global +hello +2\.1\.0 +shadowed/);
  });

  it("[E51] a broken manifest is listed as such, and can be removed by its directory", async () => {
    await using on = await box();
    await mkdir(join(on.extensions, "torn"), { recursive: true });
    await writeFile(join(on.extensions, "torn", "extension.json"), "{");
    expect((await on.ext("list")).out).toMatch(/torn +broken: .*not JSON/);
    expect((await on.ext("enable", "torn")).err).toContain("Fix that first");
    expect((await on.ext("remove", "torn", "--yes")).code).toBe(0);
  });

  it("[E52] logs shows what was written, and -f goes on, also when the file is turned over", async () => {
    await using on = await box();
    expect((await on.ext("logs", "hello")).err).toContain("the extension has not been started yet");
    const log = join(on.home, "logs", "ext-hello.log");
    await mkdir(dirname(log), { recursive: true });
    await writeFile(log, "one\n");
    await writeFile(`${log}.1`, "zero\n");
    expect((await on.ext("logs", "hello")).out).toBe("zero\none\n");
    const child = spawn(process.execPath, on.args(["logs", "hello", "-f"]), {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    const until = async (words: string): Promise<void> => {
      while (!out.includes(words)) out += String((await once(child.stdout, "data"))[0]);
    };
    await until("one\n");
    await appendFile(log, "two\n");
    await until("two\n");
    await rm(log);
    await writeFile(log, "three\n");
    await until("three\n");
    child.kill();
    await once(child, "exit");
    expect(out).toBe("zero\none\ntwo\nthree\n");
  });

  it("[E50] a program that may be run stays so", async () => {
    await using on = await box();
    await writeFile(join(on.source, "run.sh"), "#!/bin/sh\n");
    await chmod(join(on.source, "run.sh"), 0o755);
    await on.ext("install", on.source);
    expect(execFileSync("ls", ["-l", join(on.extensions, "hello", "run.sh")]).toString()).toMatch(
      /^-rwxr-xr-x/,
    );
  });
});

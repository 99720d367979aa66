// What a session has changed since it began, in real repositories and without one, and what of its directory can be read.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { listDirectory, readText } from "../../src/machine/files/read-files.ts";
import { Git } from "../../src/machine/git/run-git.ts";
import { StartingPoint } from "../../src/machine/git/starting-point.ts";
import { createSession, startActor } from "../support/actor.ts";

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function directory(files: Record<string, string | Buffer>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-files-")));
  made.push(root);
  write(root, files);
  return root;
}

function write(root: string, files: Record<string, string | Buffer>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function git(cwd: string, ...args: string[]): string {
  const who = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"];
  return execFileSync("git", [...who, ...args], { cwd, encoding: "utf8" });
}

function repository(files: Record<string, string>): string {
  const root = directory(files);
  git(root, "init", "-q", "-b", "main");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "first");
  return root;
}

const startIn = (): StartingPoint =>
  new StartingPoint(join(directory({}), "start"), new Git({ path: process.env["PATH"], limitMs: 30_000 }));

describe("what a session has changed", () => {
  it("[L61] in a repository: since the session began, not since the last commit, and committed changes too", async () => {
    const root = repository({
      "a.txt": "one\ntwo\n",
      "gone.txt": "x\n",
      "old name.txt": "1\n2\n3\n4\n",
      ".gitignore": "*.log\n",
    });
    write(root, { "a.txt": "one\ntwo\nmine, before\n" });
    const before = git(root, "status", "--porcelain");
    const start = startIn();
    await start.take(root);
    expect(git(root, "status", "--porcelain")).toBe(before); // our looking leaves no trace
    expect((await start.changes(root)).files).toEqual([]);
    write(root, {
      "a.txt": "one\n2\nmine, before\n",
      "new/ünïcode *.txt": "new\n",
      "noise.log": "x",
      "data.bin": Buffer.from([0, 1, 2]),
    });
    rmSync(join(root, "gone.txt"));
    git(root, "mv", "old name.txt", "new name.txt");
    git(root, "commit", "-qam", "the agent commits");
    const { files } = await start.changes(root);
    expect(files).toEqual([
      { path: "a.txt", change: "modified", added: 1, removed: 1 },
      { path: "data.bin", change: "added", added: null, removed: null },
      { path: "gone.txt", change: "deleted", added: 0, removed: 1 },
      { path: "new name.txt", from: "old name.txt", change: "renamed", added: 0, removed: 0 },
      { path: "new/ünïcode *.txt", change: "added", added: 1, removed: 0 },
    ]);
    expect(await start.diff(root, ["a.txt"])).toContain("@@ -1,3 +1,3 @@\n one\n-two\n+2\n mine, before");
    expect(await start.diff(root, ["new/ünïcode *.txt"])).toContain("+new");
  });

  it("[L62] in a part of a repository: only that part, with paths from there", async () => {
    const root = repository({ "app/a.txt": "a\n", "other/b.txt": "b\n" });
    const start = startIn();
    await start.take(join(root, "app"));
    write(root, { "app/a.txt": "A\n", "other/b.txt": "B\n" });
    const { files } = await start.changes(join(root, "app"));
    expect(files.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(await start.diff(join(root, "app"), ["a.txt"])).toContain("+A");
  });

  it("[L63] without a repository too, unless the directory is too large", async () => {
    const root = directory({ "a.txt": "a\n", "node_modules/x/index.js": "1" });
    const start = startIn();
    await start.take(root);
    write(root, { "a.txt": "b\n", "node_modules/x/index.js": "2" });
    expect((await start.changes(root)).files).toMatchObject([{ path: "a.txt" }]);
    const large = directory(Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`${n}`, ""])));
    await expect(startIn().take(large)).rejects.toThrow("too large");
  });

  it("[L64] nothing that the directory's git config or attributes name is run", async () => {
    const root = repository({ "a.txt": "a\n", ".gitattributes": "*.txt filter=evil diff=evil\n" });
    const proof = join(root, "evil-ran");
    for (const [key, value] of [
      ["filter.evil.clean", `touch ${proof}; cat`],
      ["diff.evil.command", `touch ${proof}`],
      ["diff.evil.textconv", `touch ${proof}; cat`],
      ["core.fsmonitor", `touch ${proof}`],
    ] as const)
      git(root, "config", key, value);
    const start = startIn();
    await start.take(root);
    writeFileSync(join(root, "a.txt"), "b\n");
    await start.changes(root);
    await start.diff(root, ["a.txt"]);
    expect(existsSync(proof)).toBe(false);
  });

  it("[L65] a difference too long for a page is said to be, and the list is there all the same", async () => {
    const root = repository({ "a.txt": "" });
    const start = startIn();
    await start.take(root);
    write(root, { "a.txt": "a line of some length\n".repeat(100_000) });
    expect((await start.changes(root)).files).toMatchObject([{ path: "a.txt", added: 100_000 }]);
    expect(await start.diff(root, ["a.txt"])).toBeNull();
  });
});

describe("reading a session's directory", () => {
  it("[L66] lists and reads, and leaves the directory by no link or path", async () => {
    const root = directory({ "b.txt": "text", "src/a.ts": "x", "data.bin": Buffer.from([0, 255]) });
    symlinkSync("/etc", join(root, "out"));
    symlinkSync("b.txt", join(root, "in"));
    expect((await listDirectory(root, "")).entries.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      "directory src",
      "file b.txt",
      "file data.bin",
      "link in",
      "link out",
    ]);
    expect(await readText(root, "b.txt")).toEqual({ bytes: 4, text: "text", more: false });
    expect((await readText(root, "in")).text).toBe("text");
    expect((await readText(root, "data.bin")).text).toBeNull();
    for (const path of ["out/passwd", "../", "/etc/passwd"])
      await expect(readText(root, path)).rejects.toThrow(
        /outside|not a file|not a readable file|not a directory/,
      );
    await expect(listDirectory(root, "out")).rejects.toThrow("outside");
    await expect(readText(root, "src")).rejects.toThrow("not a readable file");
    await expect(readText(root, "nowhere")).rejects.toThrow("nowhere no longer exists");
  });
});

describe("over HTTP", () => {
  it("[L67] a session in a worktree of its own: its branch, its changes; deleting it keeps what is not committed", async () => {
    const root = repository({ "a.txt": "a\n" });
    await using server = await startActor({ directories: [root] });
    const clean = await createSession(server, { cwd: root, worktree: true });
    const dirty = await createSession(server, { cwd: root, worktree: true });
    const cwdOf = async (id: string): Promise<string> =>
      ((await server.call("GET", `/api/sessions/${id}`)).body as { session: { cwd: string } }).session.cwd;
    const [cleanCwd, dirtyCwd] = [await cwdOf(clean), await cwdOf(dirty)];
    expect(cleanCwd).not.toBe(dirtyCwd);
    expect((await server.call("GET", `/api/sessions/${dirty}/changes`)).body).toMatchObject({
      files: [],
      branch: `patchbay/${dirty.slice(0, 8)}`,
    });
    writeFileSync(join(dirtyCwd, "a.txt"), "changed\n");
    expect((await server.call("GET", `/api/sessions/${dirty}/changes`)).body).toMatchObject({
      files: [{ path: "a.txt" }],
    });
    expect((await server.call("GET", `/api/sessions/${dirty}/changes/diff?path=a.txt`)).body).toMatchObject({
      diff: expect.stringContaining("+changed"),
    });
    expect((await server.call("GET", `/api/sessions/${dirty}/files`)).body).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ name: "a.txt" })]),
    });
    expect((await server.call("GET", `/api/sessions/${dirty}/files/text?path=a.txt`)).body).toMatchObject({
      text: "changed\n",
    });
    expect((await server.call("GET", `/api/sessions/${dirty}/files?path=..`)).status).toBe(403);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a\n");
    for (const id of [clean, dirty])
      expect((await server.call("DELETE", `/api/sessions/${id}`)).status).toBe(204);
    expect([existsSync(cleanCwd), existsSync(dirtyCwd)]).toEqual([false, true]);
    const large = directory(Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`${n}`, ""])));
    await using other = await startActor({ directories: [large] });
    const lost = await other.call(
      "GET",
      `/api/sessions/${await createSession(other, { cwd: large })}/changes`,
    );
    expect([lost.status, lost.text]).toEqual([400, expect.stringContaining("too large to compare")]);
    const refused = await server.call("POST", "/api/sessions", { cwd: directory({}), worktree: true });
    expect(refused.status).toBe(400);
  });
});

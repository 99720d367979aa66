// A worktree is removed only if nothing would be lost; what it belongs to is the record's to say.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitAll, directory, git, repository, write } from "./repositories.ts";
import { name, traces, worktreesIn } from "./worktrees.ts";

describe("removing a worktree", () => {
  it("[L67] takes everything of it but the branch, also what forbids writing, and follows no link", async () => {
    const outside = directory({ "kept.txt": "kept\n" });
    const root = repository({ "a.txt": "a\n", ".gitignore": "cache\nlinks\n" });
    const worktrees = worktreesIn();
    const made = await worktrees.make(name, root);
    write(made.path, { "cache/deep/er/x.txt": "x\n" });
    chmodSync(join(made.path, "cache/deep/er"), 0o500);
    chmodSync(join(made.path, "cache/deep"), 0o500);
    mkdirSync(join(made.path, "links"));
    symlinkSync(outside, join(made.path, "links/out"));
    symlinkSync(join(outside, "kept.txt"), join(made.path, "links/file"));
    expect(await worktrees.remove(made)).toEqual({ kind: "removed" });
    expect(existsSync(made.path)).toBe(false);
    expect(existsSync(join(root, ".git/worktrees"))).toBe(false);
    expect(traces(root)).toEqual(["refs/heads/main", "refs/heads/patchbay/01234567"]);
    expect(readFileSync(join(outside, "kept.txt"), "utf8")).toBe("kept\n");
    expect(await worktrees.remove(made)).toEqual({ kind: "none" });
  });

  const losses: [string, string, (path: string, root: string) => void][] = [
    ["a changed file", "uncommitted", (path) => appendFileSync(join(path, "a.txt"), "more\n")],
    ["a new file", "uncommitted", (path) => writeFileSync(join(path, "new.txt"), "new\n")],
    ["a deleted file", "uncommitted", (path) => rmSync(join(path, "a.txt"))],
    [
      "something staged that the directory no longer has",
      "uncommitted",
      (path) => {
        writeFileSync(join(path, "a.txt"), "staged\n");
        git(path, "add", "a.txt");
        writeFileSync(join(path, "a.txt"), "a\n");
      },
    ],
    [
      "a nested repository",
      "uncommitted",
      (path) => {
        write(path, { "nested/x.txt": "x\n" });
        git(join(path, "nested"), "init", "-q");
        commitAll(join(path, "nested"));
      },
    ],
    [
      "a submodule with files",
      "submodule",
      (path, root) => {
        git(path, "submodule", "--quiet", "add", root, "module");
        commitAll(path);
      },
    ],
    [
      "a commit that is on no branch",
      "on no branch",
      (path) => {
        git(path, "checkout", "-q", "--detach");
        commitAll(path);
      },
    ],
    ["a lock", "locked", (path) => void git(path, "worktree", "lock", path)],
    [
      "an unreadable index",
      "could not be checked",
      (_, root) => writeFileSync(join(root, ".git/worktrees", name, "index"), "no index"),
    ],
    ["no index", "index cannot be read", (_, root) => rmSync(join(root, ".git/worktrees", name, "index"))],
    [
      "an unreadable HEAD",
      "HEAD",
      (_, root) => writeFileSync(join(root, ".git/worktrees", name, "HEAD"), "\u001b[2J"),
    ],
    ["a missing .git file", ".git file", (path) => rmSync(join(path, ".git"))],
    [
      "a .git file that is a link",
      ".git file",
      (path) => {
        renameSync(join(path, ".git"), join(path, "..", "moved"));
        symlinkSync(join(path, "..", "moved"), join(path, ".git"));
      },
    ],
    [
      "an admin directory of another worktree",
      "another worktree",
      (_, root) => writeFileSync(join(root, ".git/worktrees", name, "gitdir"), "/elsewhere/.git\n"),
    ],
    [
      "an admin directory that is a link",
      "could not be checked",
      (path, root) => {
        renameSync(join(root, ".git/worktrees", name), join(path, "..", "admin"));
        symlinkSync(join(path, "..", "admin"), join(root, ".git/worktrees", name));
      },
    ],
  ];

  it.each(losses)("[L67] is refused where there is %s", async (_, reason, change) => {
    const root = repository({ "a.txt": "a\n" });
    const worktrees = worktreesIn();
    const made = await worktrees.make(name, root);
    change(made.path, root);
    const before = readdirSync(made.path);
    expect(await worktrees.remove(made)).toEqual({ kind: "kept", reason: expect.stringContaining(reason) });
    expect(readdirSync(made.path)).toEqual(before);
    expect(readdirSync(join(root, ".git/worktrees"))).toEqual([name]);
  });

  it("[L97] a directory that is a link now is left alone, and so is what it leads to", async () => {
    const root = repository({ "a.txt": "a\n" });
    const worktrees = worktreesIn();
    const made = await worktrees.make(name, root);
    const elsewhere = join(directory(), "elsewhere");
    renameSync(made.path, elsewhere);
    symlinkSync(elsewhere, made.path);
    expect(await worktrees.remove(made)).toMatchObject({ kind: "kept" });
    expect(readFileSync(join(elsewhere, "a.txt"), "utf8")).toBe("a\n");
  });

  it("[L67] a removal that was cut short is ended by the next server", async () => {
    const home = directory({ "worktrees/.removed-x/a/b.txt": "b\n", "worktrees/kept/c.txt": "c\n" });
    await worktreesIn(home).finishRemovals();
    expect(readdirSync(join(home, "worktrees"))).toEqual(["kept"]);
  });
});

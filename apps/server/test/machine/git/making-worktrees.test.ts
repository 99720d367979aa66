// Worktrees that are made and removed without git opening the repository: the real git takes them for its own.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Worktree } from "../../../src/store/worktree.ts";
import { commitAll, directory, git, repository, write } from "./repositories.ts";
import { name, traces, worktreesIn } from "./worktrees.ts";

const cwdOf = ({ path, prefix }: Worktree): string => join(path, prefix);

describe("making a worktree", () => {
  it("[L96] the real git takes it for its own: clean, listed, kept by prune, to be committed in and removed", async () => {
    const root = repository({ "a.txt": "a\n", "app/b.txt": "b\n", "run.sh": "#!/bin/sh\n" });
    chmodSync(join(root, "run.sh"), 0o755);
    symlinkSync("a.txt", join(root, "link"));
    commitAll(root);
    const made = await worktreesIn().make(name, join(root, "app"));
    expect(made).toMatchObject({
      repository: join(root, ".git"),
      name,
      branch: "patchbay/01234567",
      prefix: "app",
    });
    expect(readdirSync(cwdOf(made))).toEqual(["b.txt"]);
    const { path } = made;
    expect(git(path, "status", "--porcelain=v2", "--branch")).toMatch(
      /^# branch.oid \w+\n# branch.head patchbay\/01234567\n$/,
    );
    git(root, "worktree", "prune", "--expire=now");
    expect(git(root, "worktree", "list", "--porcelain")).toContain(
      `worktree ${path}\nHEAD ${git(root, "rev-parse", "HEAD")}branch refs/heads/patchbay/01234567\n`,
    );
    write(path, { "a.txt": "changed\n" });
    expect(git(path, "diff", "--stat")).toContain("a.txt | 2 +-");
    commitAll(path);
    expect(git(root, "log", "--format=%s", "main..patchbay/01234567")).toBe("commit\n");
    git(root, "fsck", "--strict");
    git(root, "gc", "-q");
    expect(git(path, "status", "--porcelain")).toBe("");
    git(root, "worktree", "remove", path);
    expect(existsSync(path)).toBe(false);
  });

  it("[L96] of a worktree, a submodule, packed refs, a commit without a branch, sha256, and of a repository with a worktree config", async () => {
    const files = { "a.txt": "a\n" };
    const packed = repository(files);
    git(packed, "pack-refs", "--all");
    const detached = repository(files);
    git(detached, "checkout", "-q", "--detach");
    const base = repository(files);
    const linked = join(directory(), "linked");
    git(base, "worktree", "add", "-q", linked);
    const outer = repository(files);
    git(outer, "submodule", "--quiet", "add", base, "module");
    const configured = repository(files);
    git(configured, "config", "extensions.worktreeConfig", "true");
    const sha256 = repository(files, "--object-format=sha256");
    for (const root of [packed, detached, linked, join(outer, "module"), configured, sha256]) {
      const worktrees = worktreesIn();
      const made = await worktrees.make(name, root);
      expect(git(made.path, "status", "--porcelain")).toBe("");
      expect(git(made.path, "rev-parse", "HEAD")).toBe(git(root, "rev-parse", "HEAD"));
      commitAll(made.path);
      expect(await worktrees.remove(made)).toEqual({ kind: "removed" });
      expect(git(root, "worktree", "list")).not.toContain(made.path);
      git(root, "rev-parse", "--verify", "refs/heads/patchbay/01234567");
    }
  });

  it("[L96] of a directory that holds nothing committed: it is there, and empty", async () => {
    const root = repository({ "a.txt": "a\n", ".gitignore": "build\n" });
    write(root, { "build/out/x.txt": "x\n" });
    const worktrees = worktreesIn();
    const made = await worktrees.make(name, join(root, "build/out"));
    expect(readdirSync(cwdOf(made))).toEqual([]);
    expect(git(made.path, "status", "--porcelain")).toBe("");
    expect(await worktrees.remove(made)).toEqual({ kind: "removed" });
  });

  it("[L96] files are checked out as the attributes want them, without any filter", async () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    const root = repository({ "a.txt": "one\n", "big.bin": pointer });
    write(root, { ".gitattributes": "*.txt eol=crlf\n*.bin filter=lfs\n" });
    commitAll(root);
    git(root, "config", "filter.lfs.smudge", `touch ${root}/ran; cat`);
    git(root, "config", "filter.lfs.required", "true");
    const { path } = await worktreesIn().make(name, root);
    expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("one\r\n");
    expect(readFileSync(join(path, "big.bin"), "utf8")).toBe(pointer);
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  it("[L96] what cannot be understood is refused in words, and leaves nothing behind", async () => {
    const files = { "a.txt": "a\n" };
    const reftable = repository(files);
    git(reftable, "config", "core.repositoryFormatVersion", "1");
    const refused = async (root: string, words: string): Promise<void> => {
      const home = directory();
      const before = existsSync(join(root, ".git/HEAD")) ? readdirSync(join(root, ".git")) : [];
      await expect(worktreesIn(home).make(name, root)).rejects.toThrow(words);
      const left = existsSync(join(home, "worktrees")) ? readdirSync(join(home, "worktrees")) : [];
      expect(left).toEqual([]);
      if (before.length > 0) expect(readdirSync(join(root, ".git"))).toEqual(before);
    };
    writeFileSync(
      join(reftable, ".git/config"),
      "[core]\nrepositoryformatversion=1\n[extensions]\nrefStorage = reftable\n",
    );
    await refused(reftable, "keeps its branches");
    const future = repository(files);
    writeFileSync(
      join(future, ".git/config"),
      "[core]\nrepositoryformatversion=1\n[extensions]\nunheardOf = 1\n",
    );
    await refused(future, "unheardof");
    const empty = directory();
    git(empty, "init", "-q");
    await refused(empty, "has no commit");
    await refused(directory(), "not in a git repository");
    const taken = repository(files);
    git(taken, "branch", "patchbay");
    await refused(taken, "refs/heads/patchbay");
    git(taken, "pack-refs", "--all");
    await refused(taken, "refs/heads/patchbay");
    const again = repository(files);
    git(again, "branch", "patchbay/01234567");
    await refused(again, "refs/heads/patchbay/01234567");
    expect(traces(again)).toEqual(["refs/heads/main", "refs/heads/patchbay/01234567"]);
    const lost = repository(files);
    const tree = git(lost, "rev-parse", "HEAD^{tree}").trim();
    rmSync(join(lost, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    await refused(lost, "Cannot create a worktree of");
    expect(traces(lost)).toEqual(["refs/heads/main"]);
  });

  it("[L97] a directory whose .git leads to a repository that does not name it back gets no worktree of that one", async () => {
    const secret = repository({ "secret.txt": "secret\n" });
    const home = directory();
    const file = directory({ ".git": `gitdir: ${secret}/.git\n` });
    const link = directory();
    symlinkSync(join(secret, ".git"), join(link, ".git"));
    const common = repository({ "a.txt": "a\n" });
    writeFileSync(join(common, ".git/commondir"), `${secret}/.git\n`);
    const refs = repository({ "a.txt": "a\n" });
    rmSync(join(refs, ".git/refs"), { recursive: true });
    symlinkSync(join(secret, ".git/refs"), join(refs, ".git/refs"));
    const packed = repository({ "a.txt": "a\n" });
    git(secret, "pack-refs", "--all");
    rmSync(join(packed, ".git/refs/heads/main"));
    symlinkSync(join(secret, ".git/packed-refs"), join(packed, ".git/packed-refs"));
    for (const root of [file, link, common, refs, packed]) {
      await expect(worktreesIn(home).make(name, root)).rejects.toThrow("Cannot create a worktree of");
      expect(traces(secret)).toEqual(["refs/heads/main"]);
    }
  });

  it("[L97] nothing is written through a link in the repository", async () => {
    const elsewhere = directory({ kept: "kept\n" });
    const attempts: ((root: string) => void)[] = [
      (root) => symlinkSync(elsewhere, join(root, ".git/worktrees")),
      (root) => symlinkSync(elsewhere, join(root, ".git/refs/heads/patchbay")),
      (root) => {
        mkdirSync(join(root, ".git/worktrees"));
        symlinkSync(elsewhere, join(root, ".git/worktrees", name));
      },
      (root) => {
        mkdirSync(join(root, ".git/refs/heads/patchbay"));
        symlinkSync(join(elsewhere, "new"), join(root, ".git/refs/heads/patchbay/01234567"));
      },
      (root) => {
        mkdirSync(join(root, ".git/refs/heads/patchbay"));
        symlinkSync(join(elsewhere, "new"), join(root, ".git/refs/heads/patchbay/01234567.lock"));
      },
    ];
    for (const attempt of attempts) {
      const root = repository({ "a.txt": "a\n" });
      attempt(root);
      const home = directory();
      await expect(worktreesIn(home).make(name, root)).rejects.toThrow("Cannot create a worktree of");
      expect(readdirSync(elsewhere)).toEqual(["kept"]);
      expect(readdirSync(join(home, "worktrees"))).toEqual([]);
    }
  });
});

it("[U75] a directory of a worktree belongs to that of its repository, unless the repository is bare or does not name it back", async () => {
  const worktrees = worktreesIn();
  const root = repository({ "app/a.txt": "a\n" });
  const linked = join(directory(), "linked");
  git(root, "worktree", "add", "-q", linked);
  expect(await worktrees.mainDirectory(join(linked, "app"))).toBe(join(root, "app"));
  expect(await worktrees.mainDirectory(linked)).toBe(root);
  expect(await worktrees.mainDirectory(root)).toBeUndefined();
  expect(await worktrees.mainDirectory(directory())).toBeUndefined();
  const forged = directory({ ".git": readFileSync(join(linked, ".git")) });
  expect(await worktrees.mainDirectory(forged)).toBeUndefined();
  const bare = directory();
  git(root, "clone", "-q", "--bare", root, join(bare, "bare.git"));
  git(join(bare, "bare.git"), "worktree", "add", "-q", join(bare, "main"));
  expect(await worktrees.mainDirectory(join(bare, "main"))).toBeUndefined();
});

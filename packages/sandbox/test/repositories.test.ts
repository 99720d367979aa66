// Repositories in the sandbox: git works where it should, and what it would run later stays as it is.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unless } from "@patchbay/testing/skips";
import { describe, expect, it } from "vitest";
import { makePlace, sandbox } from "./in-sandbox.ts";

const here = unless(sandbox.works ? null : `no sandbox: ${sandbox.problem}`);

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

/** With one commit. */
function makeRepository(directory: string): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "file.txt"), "content\n");
  git(directory, "init", "-q", "-b", "main");
  git(directory, "add", "-A");
  git(directory, "commit", "-q", "-m", "first");
}

const commit =
  "echo more >> file.txt && git -c user.name=a -c user.email=a commit -qam second; git log --format=%s";

describe("repositories in the sandbox", here, () => {
  it("[W156] a worktree commits into the repository it belongs to, whose config and hooks stay as they are", async () => {
    using place = makePlace();
    const main = join(place.home, "main");
    makeRepository(main);
    const worktree = join(place.home, "trees/one");
    git(main, "worktree", "add", "-q", "-b", "work", worktree);
    const output = await place.run(
      `git status --short; ${commit}; git config x.y EVIL; echo EVIL > ${main}/.git/hooks/x; echo EVIL > ${main}/file.txt`,
      {
        cwd: worktree,
      },
    );
    expect(output).toMatch(/second\nfirst/);
    expect(git(main, "log", "-1", "--format=%s", "work").trim()).toBe("second");
    expect(readFileSync(join(main, ".git/config"), "utf8")).not.toContain("EVIL");
    expect(existsSync(join(main, ".git/hooks/x"))).toBe(false);
    expect(readFileSync(join(main, "file.txt"), "utf8")).toBe("content\n");
  });

  it("[W156] a .git file that an agent has written brings nothing in", async () => {
    using place = makePlace();
    const main = join(place.home, "main");
    makeRepository(main);
    const secret = join(place.home, ".ssh");
    mkdirSync(join(secret, "worktrees/x"), { recursive: true });
    writeFileSync(join(secret, "id"), "CANARY");
    for (const named of [secret, join(secret, "worktrees/x"), join(main, ".git"), "/"]) {
      writeFileSync(join(place.project, ".git"), `gitdir: ${named}\n`);
      expect(await place.run(`cat ${secret}/id ${main}/file.txt ${main}/.git/HEAD; ls ${main}`)).toMatch(
        /^(.*No such file or directory\n)+$/,
      );
    }
    // Not even one that was somebody's worktree before.
    const tree = join(place.home, "tree");
    git(main, "worktree", "add", "-q", tree);
    writeFileSync(join(place.project, ".git"), readFileSync(join(tree, ".git")));
    expect(await place.run(`cat ${main}/.git/HEAD`)).toContain("No such file");
  });

  it("[W156] in a part of a repository the rest can be read, and git takes nothing for deleted", async () => {
    using place = makePlace();
    const main = join(place.home, "main");
    mkdirSync(join(main, "packages/a"), { recursive: true });
    writeFileSync(join(main, "packages/a/own.txt"), "own");
    makeRepository(main);
    const part = { cwd: join(main, "packages/a") };
    const output = await place.run(
      "git status --short; echo new > own.txt; git status --short; cat ../../file.txt; echo x > ../../file.txt",
      part,
    );
    expect(output).toMatch(/^ M own.txt\ncontent\n.*Read-only file system\n$/);
  });

  it("[W156] the home is no repository to be read, though it is one", async () => {
    using place = makePlace();
    makeRepository(place.home);
    expect(await place.run("cat ~/file.txt; git status 2>&1 | head -1")).toMatch(
      /No such file[\s\S]*not a git repository/,
    );
  });

  it("[W154] the hooks of a repository that has none are not to be made", async () => {
    using place = makePlace();
    makeRepository(place.project);
    rmSync(join(place.project, ".git/hooks"), { recursive: true, force: true });
    await place.run("mkdir -p .git/hooks; echo EVIL > .git/hooks/pre-commit; rm -rf .git/hooks");
    expect(existsSync(join(place.project, ".git/hooks/pre-commit"))).toBe(false);
    expect(await place.run(commit)).toMatch(/second\nfirst/);
  });
});

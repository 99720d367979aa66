// Completion lists what git would show, through a repository of ours; without git the directory is walked.
import { readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PathFinder } from "../../../src/machine/git/find-paths.ts";
import { Git } from "../../../src/machine/git/run-git.ts";
import { commitAll, directory, git, repository, runner, write } from "../git/repositories.ts";

const paths = async (finder: PathFinder, root: string, query = ""): Promise<string[]> =>
  (await finder.find(root, query, 100)).map(({ path }) => path);

const files = {
  "a.txt": "a\n",
  "app/b.txt": "b\n",
  ".gitignore": "*.log\n!kept.log\n",
  "x.log": "x\n",
  "kept.log": "k\n",
};

describe("completion of paths", () => {
  it("[L25] follows every rule of what is ignored, in a part of a repository and a worktree too", async () => {
    const root = repository(files);
    write(root, { "private.txt": "p\n", "app/c.txt": "c\n", "app/tracked.log": "t\n" });
    writeFileSync(join(root, ".git/info/exclude"), "private.txt\n");
    git(root, "add", "-f", "app/tracked.log");
    const home = directory();
    const finder = new PathFinder(runner(), home);
    expect((await paths(finder, root)).sort()).toEqual([
      ".gitignore",
      "a.txt",
      "app/",
      "app/b.txt",
      "app/c.txt",
      "app/tracked.log",
      "kept.log",
    ]);
    expect((await paths(finder, join(root, "app"))).sort()).toEqual(["b.txt", "c.txt", "tracked.log"]);
    const linked = join(directory(), "linked");
    commitAll(root);
    git(root, "worktree", "add", "-q", linked);
    write(linked, { "new.txt": "n\n", "private.txt": "p\n" });
    expect(await paths(finder, linked, "new")).toEqual(["new.txt"]);
    expect(await paths(finder, linked, "private")).toEqual([]);
    expect(readdirSync(join(home, "sha1")).filter((name) => name.startsWith("list-"))).toEqual([]);
  });

  it("[L25] does without an index that git cannot use, and without git", async () => {
    const root = repository(files, "--object-format=sha256");
    symlinkSync("/etc", join(root, "out"));
    const finder = (how: Git): PathFinder => new PathFinder(how, directory());
    expect(await paths(finder(runner()), root, "b.txt")).toEqual(["app/b.txt"]);
    writeFileSync(join(root, ".git/index"), "nonsense");
    expect(await paths(finder(runner()), root, "log")).toEqual(["kept.log"]);
    rmSync(join(root, ".git/index"));
    expect(await paths(finder(runner()), root, "log")).toEqual(["kept.log"]);
    const none = new Git({ path: "/nonexistent", limitMs: 1_000 });
    expect(await paths(finder(none), root, "log")).toEqual(["x.log", "kept.log"]);
    expect(await paths(finder(none), root, "passwd")).toEqual([]);
    expect(
      await paths(finder(none), directory({ "deep/er/x.txt": "x\n", "node_modules/y.txt": "" }), ""),
    ).toEqual(["deep/", "deep/er/", "deep/er/x.txt"]);
  });
});

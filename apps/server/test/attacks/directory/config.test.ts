// A directory whose git config, hooks and attributes name programs: the server runs none of them, whatever is asked.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitAll, directory, git, repository, write } from "../../machine/git/repositories.ts";
import { attributes, Canary, callEverything, poison, startVictim } from "./hostile.ts";

const files = { "honest.txt": "honest\n", "data.bin": "data\n", "sub/honest.txt": "honest\n" };

/** Each makes a directory to work in, and what the everyday git does that runs the canary. */
const attacks: [string, (canary: Canary) => { cwd: string; everyday: () => unknown }][] = [
  [
    "its own config",
    (canary) => {
      const cwd = repository({ ...files, ".gitattributes": attributes });
      poison(join(cwd, ".git"), canary);
      return { cwd, everyday: () => git(cwd, "diff-files") };
    },
  ],
  [
    "an included config",
    (canary) => {
      const cwd = repository({ ...files, ".gitattributes": attributes });
      poison(join(cwd, ".git"), canary, "include");
      return { cwd, everyday: () => git(cwd, "diff-files") };
    },
  ],
  [
    "the config of the repository above it",
    (canary) => {
      const root = repository({ ...files, ".gitattributes": attributes });
      poison(join(root, ".git"), canary);
      return { cwd: join(root, "sub"), everyday: () => git(join(root, "sub"), "diff-files") };
    },
  ],
  [
    "a nested repository",
    (canary) => {
      const cwd = repository(files);
      const nested = join(cwd, "nested");
      write(nested, { ...files, ".gitattributes": attributes });
      git(nested, "init", "-q");
      commitAll(nested);
      commitAll(cwd); // the index knows it
      const second = join(cwd, "untracked");
      write(second, { ...files, ".gitattributes": attributes });
      git(second, "init", "-q");
      commitAll(second);
      for (const place of [nested, second]) {
        poison(join(place, ".git"), canary);
        write(place, { "honest.txt": "dirty\n", "data.bin": "dirty\n" });
      }
      return { cwd, everyday: () => git(cwd, "status") };
    },
  ],
  [
    "a submodule",
    (canary) => {
      const other = repository({ ...files, ".gitattributes": attributes });
      const cwd = repository(files);
      git(cwd, "submodule", "--quiet", "add", other, "module");
      commitAll(cwd);
      poison(join(cwd, ".git/modules/module"), canary);
      write(cwd, { "module/honest.txt": "dirty\n", "module/data.bin": "dirty\n" });
      return { cwd, everyday: () => git(cwd, "status") };
    },
  ],
  [
    "a git directory elsewhere that a .git file names",
    (canary) => {
      const cwd = repository({ ...files, ".gitattributes": attributes });
      const elsewhere = join(directory(), "elsewhere");
      renameSync(join(cwd, ".git"), elsewhere);
      writeFileSync(join(cwd, ".git"), `gitdir: ${elsewhere}\n`);
      git(cwd, "config", "core.worktree", cwd); // it names the directory back, as a submodule's does
      poison(elsewhere, canary);
      return { cwd, everyday: () => git(cwd, "diff-files") };
    },
  ],
  [
    "the worktree config of a worktree that a person made",
    (canary) => {
      const root = repository({ ...files, ".gitattributes": attributes });
      const cwd = join(directory(), "linked");
      git(root, "config", "extensions.worktreeConfig", "true");
      git(root, "worktree", "add", "-q", cwd);
      poison(join(root, ".git"), canary);
      const admin = join(root, ".git/worktrees/linked");
      mkdirSync(join(admin, "info"), { recursive: true });
      writeFileSync(join(admin, "config.worktree"), `[core]\n\tfsmonitor = ${canary.program}\n`);
      return { cwd, everyday: () => git(cwd, "diff-files") };
    },
  ],
];

describe("a directory that names programs", () => {
  it.each(attacks)("[L94] %s: none is run by any call", async (_, attack) => {
    const canary = new Canary();
    const { cwd, everyday } = attack(canary);
    canary.expectRunBy(everyday);
    await using server = await startVictim([cwd]);
    await callEverything(server, cwd);
    canary.expectSilence();
    expect(server.stderr()).not.toContain("canary");
  });
});

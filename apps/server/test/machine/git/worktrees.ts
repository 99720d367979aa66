// Worktrees in a home of their own, and what they leave in a repository.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Worktrees } from "../../../src/machine/git/worktrees.ts";
import { directory, git, runner } from "./repositories.ts";

export const name = "0123456789abcdef";

export function worktreesIn(home = directory()): Worktrees {
  return new Worktrees({ git: runner(), root: join(home, "worktrees"), work: join(home, "git") });
}

/** What of a repository a worktree leaves its traces in. */
export const traces = (root: string): string[] => [
  ...(existsSync(join(root, ".git/worktrees")) ? readdirSync(join(root, ".git/worktrees")) : []),
  ...git(root, "branch", "--list", "--format=%(refname)").trim().split("\n"),
];

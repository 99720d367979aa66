// Where a worktree belongs, as it was when the worktree was made. Remembered, because the worktree itself could say
// anything later: its `.git` file is the agent's to write.
import * as z from "zod/mini";

export const Worktree = z.object({
  /** Its root; has no link in it. */
  path: z.string(),
  /** The git directory that the repository's worktrees share; has no link in it. */
  repository: z.string(),
  /** Of its directory below `worktrees/` there. */
  name: z.string(),
  /** Made for it: `patchbay/…`. */
  branch: z.string(),
  /** From the root of the repository to the directory that was asked for. */
  prefix: z.string(),
});
export type Worktree = z.infer<typeof Worktree>;

/** What its admin directory and its `.git` file are called by each other. */
export const adminOf = ({ repository, name }: Pick<Worktree, "repository" | "name">): string =>
  `${repository}/worktrees/${name}`;

// The repository and branch of a worktree, recorded when it is made. They cannot be read from the worktree later, because the agent
// can write its `.git` file.
import * as z from "zod/mini";

export const Worktree = z.object({
  /** The root, with links resolved. */
  path: z.string(),
  /** The git directory that the repository's worktrees share, with links resolved. */
  repository: z.string(),
  /** The name of its directory in `worktrees/` of the git directory. */
  name: z.string(),
  /** The branch made for it: `patchbay/…`. */
  branch: z.string(),
  /** The path from the repository's root to the requested directory. */
  prefix: z.string(),
});
export type Worktree = z.infer<typeof Worktree>;

/** The path of the worktree's admin directory, to which its `.git` file refers. */
export const adminOf = ({ repository, name }: Pick<Worktree, "repository" | "name">): string =>
  `${repository}/worktrees/${name}`;

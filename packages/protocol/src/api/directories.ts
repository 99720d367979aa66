// The directories that a typed path may mean, for a person who chooses where a session works.
import * as z from "zod/mini";

export const DirectoryList = z.object({
  /** The directory whose entries these are; null: the path leads to none that may be listed. */
  directory: z.nullable(z.string()),
  /** What the path names, if a session may work there; `branch` is null without a repository, empty when HEAD names none. */
  found: z.nullable(z.object({ path: z.string(), branch: z.nullable(z.string()) })),
  /** Those whose names begin with the last part of the path, by name; `git`: the root of a repository or worktree. */
  entries: z.array(z.object({ name: z.string(), path: z.string(), git: z.boolean() })),
  /** There are more. */
  more: z.boolean(),
  /** The home directory of the server's user, which `~` means. */
  home: z.string(),
});
export type DirectoryList = z.infer<typeof DirectoryList>;

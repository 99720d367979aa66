// What a directory picker offers for what is typed.
import type { DirectoryList } from "@patchbay/protocol";

export type DirectoryOption =
  | { kind: "recent"; path: string }
  /** The directory that the typed path names. */
  | { kind: "named"; path: string; branch: string | null }
  | { kind: "entry"; path: string; name: string; git: boolean }
  /** Lists the home directory. */
  | { kind: "browse"; path: string };

/** Everything else narrows the recent directories. */
export const isWrittenPath = (query: string): boolean => /^[~/]/.test(query.trim());

/** `list`: the server's last answer to a path, which may be about an earlier one. */
export function directoryOptions(
  query: string,
  recent: readonly string[],
  list: DirectoryList | null,
): DirectoryOption[] {
  if (!isWrittenPath(query)) {
    const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = recent.filter((path) => terms.every((term) => path.toLowerCase().includes(term)));
    const options: DirectoryOption[] = matching.map((path) => ({ kind: "recent", path }));
    return terms.length === 0 ? [...options, { kind: "browse", path: "~" }] : options;
  }
  if (list === null) return [];
  const { found, entries } = list;
  return [
    ...(found === null ? [] : [{ kind: "named" as const, ...found }]),
    ...entries
      .filter(({ path }) => path !== found?.path)
      .map((entry) => ({ kind: "entry" as const, ...entry })),
  ];
}

// Takes paths, file names and people's names out of texts that people and agents wrote. It rather takes too much: what looks like a path is
// one. A file name without an ending (`Makefile`) is known only if a tool was given it.

export type Scrub = (text: string) => string;

const hiddenPath = "[path]";
const hiddenName = "[name]";

/** Everything between white space, quotes, brackets and the punctuation of sentences. */
const token = /[^\s"'`()<>[\]{}|,;:*=]+/gu;
const fileName = /^[\p{L}\p{N}_.@+~#%&$-]*\.[\p{L}_][\p{L}\p{N}_-]*$/u;
/** `1/2`, `e.g.` and versions are no paths. */
const noPath = /^(?:[\d.]+(?:\/[\d.]+)?|[ei]\.[ge]|\/|\\)$/iu;
/** Directories of most machines: to hide them would hide words. */
const common = new Set(["home", "users", "root", "tmp", "var", "usr", "opt", "mnt", "src", "private"]);
/** Each is searched in every text. */
const maxLiterals = 500;

/** `known`: paths that tools were given, mentions and directories. */
export function pathScrub(known: Iterable<string>, cwd: string): Scrub {
  const words = new Set<string>();
  const literals = new Set<string>();
  for (const path of known) {
    const base = segments(path).at(-1) ?? "";
    for (const part of [path, base]) if (part.length > 1) (isOneToken(part) ? words : literals).add(part);
  }
  for (const part of segments(cwd)) {
    if (part.length < 3 || common.has(part.toLowerCase())) continue;
    (isOneToken(part) ? words : literals).add(part);
  }
  const sought = alternatives([...literals].slice(-maxLiterals), "gu");
  const hide = (found: string): string => {
    const core = trimmed(found);
    if (core === "" || noPath.test(core)) return found;
    const isPath =
      core.includes("/") || core.includes("\\") || fileName.test(core) || words.has(core) || words.has(found);
    return isPath ? found.replace(core, () => hiddenPath) : found;
  };
  return (text) => (sought === null ? text : text.replace(sought, hiddenPath)).replace(token, hide);
}

/** Without emphasis around it and the end of a sentence. A loop: a pattern would try each place of a long run of dots. */
function trimmed(found: string): string {
  let end = found.length;
  while (end > 0 && ".!?_".includes(found.charAt(end - 1))) end--;
  let start = 0;
  while (start < end && found.charAt(start) === "_") start++;
  return found.slice(start, end);
}

const isOneToken = (text: string): boolean => text.match(token)?.[0] === text;

const segments = (path: string): string[] => path.split(/[\\/]+/u).filter((part) => part !== "");

/** It begins only where no such character stands before, so that a long text without an address is read once. */
const address = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*/gu;

/** Names as a whole and their parts, whatever their case, and addresses of mail. */
export function nameScrub(names: Iterable<string>): Scrub {
  const parts = new Set<string>();
  for (const name of names)
    for (const part of [name, ...name.split(/[\s._-]+/u)]) if (part.trim().length > 1) parts.add(part.trim());
  const sought = alternatives([...parts], "giu");
  return (text) => {
    const without = text.replace(address, hiddenName);
    return sought === null ? without : without.replace(sought, hiddenName);
  };
}

/** Any of the texts as whole words, the longest first; null: there is none. */
function alternatives(texts: readonly string[], flags: string): RegExp | null {
  if (texts.length === 0) return null;
  const escaped = texts
    .toSorted((one, other) => other.length - one.length)
    .map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}/-]/gu, String.raw`\$&`));
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${escaped.join("|")})(?![\p{L}\p{N}])`, flags);
}

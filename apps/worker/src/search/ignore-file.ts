// The rules of one .gitignore file, each matched against one entry: the content of an ignored directory is never
// checked, because walk.ts does not enter it. (The usual libraries match whole paths, ancestors included, and then an
// inner file cannot negate a rule of an outer one; a test compares with git itself.)
import picomatch from "picomatch";

interface Rule {
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  /** Of an entry's name, or of its path from where the file lies. */
  readonly of: "name" | "path";
  matches(text: string): boolean;
}

export class IgnoreFile {
  /** The last rule first: the last match decides. */
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap(readRule).toReversed();
  }

  /** Whether the entry is ignored, or undefined when no rule matches it. */
  verdict(path: string, name: string, isDirectory: boolean): boolean | undefined {
    for (const rule of this.#rules) {
      if (rule.directoriesOnly && !isDirectory) continue;
      if (rule.matches(rule.of === "name" ? name : path)) return !rule.negated;
    }
    return undefined;
  }
}

function readRule(line: string): Rule[] {
  if (line.startsWith("#")) return [];
  const text = line.replace(/(?<!\\) +$/, "");
  const negated = text.startsWith("!");
  const body = negated ? text.slice(1) : text;
  const directoriesOnly = body.endsWith("/");
  const glob = directoriesOnly ? body.slice(0, -1) : body;
  if (glob === "") return [];
  const of = glob.includes("/") ? "path" : "name";
  return [{ negated, directoriesOnly, of, matches: matcher(glob.replace(/^\//, ""), of) }];
}

const options = {
  dot: true,
  nobrace: true,
  noext: true,
  nonegate: true,
  strictSlashes: true,
  nocase: false,
  posix: true,
} as const;

/** Most rules are names or endings, which need no regular expression. */
function matcher(glob: string, of: Rule["of"]): (text: string) => boolean {
  if (!/[*?[\\(){}+@!|^$]/.test(glob)) return (text) => text === glob;
  const ending = of === "name" ? /^\*(\.[\w.-]+)$/.exec(glob)?.[1] : undefined;
  if (ending !== undefined) return (text) => text.endsWith(ending);
  // git knows stars, question marks and classes; what else means something to the matcher is a character.
  const plain = glob.replaceAll(/\\.|\[[^\]]*\]|[(){}+@!|^$]/g, (part) =>
    part.length > 1 ? part : `\\${part}`,
  );
  // `a/**` is what lies in `a`, not `a` itself.
  return picomatch(plain.endsWith("/**") ? `${plain}/*` : plain, options);
}

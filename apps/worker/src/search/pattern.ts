// A search pattern: a regular expression in JavaScript's syntax, matched against one line at a time, and where there is
// one, the plain text that every match contains, by which most files are ruled out before they are decoded.

export interface Pattern {
  /** For a whole text: finds at least every line that matches. */
  readonly regex: RegExp;
  /** For one line. */
  readonly line: RegExp;
  /** UTF-8 of what every match contains; null: not known. */
  readonly needle: Buffer | null;
}

export interface PatternOptions {
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

export function readPattern(given: string, options: PatternOptions): Pattern {
  // The prefix of other tools, which models know; JavaScript has none yet.
  const prefixed = !options.literal && given.startsWith("(?i)");
  const source = prefixed ? given.slice(4) : given;
  const ignoreCase = options.ignoreCase || prefixed;
  const regex = compile(options.literal ? escape(source) : source, ignoreCase);
  const plain = options.literal ? source : requiredText(source);
  // A stray CR inside a line is no line end, but with the flag `m` it would be one.
  const line = new RegExp(regex.source, regex.flags.replaceAll(/[gm]/g, ""));
  return { regex, line, needle: ignoreCase || plain === "" ? null : Buffer.from(plain) };
}

function compile(source: string, ignoreCase: boolean): RegExp {
  const flags = ignoreCase ? "gmi" : "gm";
  try {
    return new RegExp(source, /\\p\{|\\u\{/.test(source) ? `${flags}u` : flags);
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/^.*: /, "") : String(error);
    throw new Error(
      `the pattern is not a valid regular expression (${problem}); set literal to search for it as plain text`,
      { cause: error },
    );
  }
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** The longest run of plain characters outside groups, classes, alternatives and optional parts. */
function requiredText(source: string): string {
  const plain = source.replaceAll(/\\./g, "");
  if (/[|([{]/.test(plain) || /\\[xucpPk0-9]/.test(source)) return "";
  const runs = source
    .replaceAll(/\\[bB]|[\^$]/g, "\0") // take no room
    .replaceAll(/\\([^A-Za-z0-9])/g, (_all, character: string) =>
      /[\\*+?.]/.test(character) ? "\0" : character,
    )
    .replaceAll(/\\./g, "\0")
    .replaceAll(/.[*?]\??/gs, "\0")
    .replaceAll(/(.)\+\??/gs, "$1\0")
    .replaceAll(".", "\0")
    .split("\0");
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
}

// Reads one line of JSON from outside, with bounds that are checked before it is parsed. A deeply nested value is parsed
// without trouble, but JSON.stringify and every recursive reader then overflow the stack; and millions of small values
// take seconds and gigabytes where one long text of the same size takes milliseconds.

export interface JsonBounds {
  /** How deep arrays and objects may lie in each other. */
  depth: number;
  /** How many values there may be in all. */
  values: number;
}

/** A frame: a list of 1,500 models is 15,000 values, a written file is one. More than this takes a schema too long to refuse. */
export const frameBounds: JsonBounds = { depth: 128, values: 50_000 };

/** A line of another program's protocol or session file: a whole transcript may come in one. */
export const foreignBounds: JsonBounds = { depth: 128, values: 500_000 };

/** A viewer's line: a prompt with its images. */
export const commandBounds: JsonBounds = { depth: 32, values: 10_000 };

export type JsonReading =
  | { ok: true; value: unknown }
  /** `isJson`: it is JSON, as far as was looked, and exceeds a bound. */
  | { ok: false; isJson: boolean; problem: string };

export function readJson(text: string, bounds: JsonBounds): JsonReading {
  const problem = excessOf(text, bounds);
  if (problem !== null) return { ok: false, isJson: true, problem };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, isJson: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

const quote = 34;
const comma = 44;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/** Which bound the text exceeds, for a message; null when none. Text that is no JSON may pass: the parser refuses it. */
function excessOf(text: string, { depth, values }: JsonBounds): string | null {
  // Every level takes two characters, and so does every value with its comma.
  if (text.length <= 2 * depth && text.length <= 2 * values) return null;
  let level = 0;
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === comma) {
      if (++count > values) return `of more than ${values} values`;
    } else if (code === openBracket || code === openBrace) {
      if (++level > depth) return `nested more than ${depth} levels deep`;
    } else if (code === closeBracket || code === closeBrace) level--;
  }
  return null;
}

/** A search for the next quote is fast where quotes are rare, and slow where most of them are escaped. */
const steppedThrough = 4_096;

/** Where the string whose first character is at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return at;
    at++; // this one is escaped, and others may follow closely
    for (const stop = Math.min(text.length, at + steppedThrough); at < stop; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) return at;
      if (code === backslash) at++;
    }
  }
  return text.length;
}

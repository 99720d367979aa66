// The markdown that is understood: GitHub's, and formulas. One lexer for splitting into blocks and for reading them.
import { Lexer, Marked, type Token, type Tokens } from "marked";

interface MathToken extends Tokens.Generic {
  type: "math";
  text: string;
  display: boolean;
}

export const isMath = (token: Token): token is MathToken => token.type === "math";

const math = (raw: string, text: string, display: boolean): MathToken => ({
  type: "math",
  raw,
  text: text.trim(),
  display,
});

/**
 * An empty line ends a formula, as in TeX. One that begins on a line of its own is a formula before its end is
 * there: its content must not become a list while it grows.
 */
const displayed =
  /^(?:\$\$((?:(?!\n[ \t]*\n)[^$])+?)\$\$|\\\[((?:(?!\n[ \t]*\n)[^])+?)\\\])[ \t]*(?:\n|$)|^(?:\$\$|\\\[)[ \t]*\n((?:(?!\n[ \t]*\n)[^$])*)\$?$/;
/** As in pandoc: no space inside the dollars and no digit after them, so that "$5 and $6" are amounts. */
const within = /^(?:\$\$([^$\n]+?)\$\$|\$(?![\s$])((?:\\.|[^\\$\n])+?)(?<![\s\\])\$(?!\d)|\\\((.+?)\\\))/;

const marked = new Marked({
  gfm: true,
  extensions: [
    {
      name: "math",
      level: "block",
      start: (source: string) => indexOfAny(source, ["$$", "\\["]),
      tokenizer(source: string) {
        const found = displayed.exec(source);
        return found === null ? undefined : math(found[0], found[1] ?? found[2] ?? found[3] ?? "", true);
      },
    },
    {
      name: "mathWithin",
      level: "inline",
      start: (source: string) => indexOfAny(source, ["$", "\\("]),
      tokenizer(source: string) {
        const found = within.exec(source);
        if (found === null) return undefined;
        return math(found[0], found[1] ?? found[2] ?? found[3] ?? "", found[1] !== undefined);
      },
    },
  ],
});

function indexOfAny(source: string, markers: readonly string[]): number | undefined {
  const found = markers.map((marker) => source.indexOf(marker)).filter((at) => at !== -1);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** The top-level blocks, without what is in them. */
export const lexBlocks = (source: string): Token[] => new Lexer(marked.defaults).blockTokens(source, []);

export const lexAll = (source: string): Token[] => new Lexer(marked.defaults).lex(source);

// Paths as git writes them: bytes, which need not be UTF-8. In memory a raw path is a string with one character per
// byte (latin1), so that it can be a map key and be split; it is converted for the disk and for display.

import { pacer } from "../files/pace.ts";

export type RawPath = string;

export const rawPath = (path: string): RawPath => Buffer.from(path, "utf8").toString("latin1");

export const bytesOf = (path: RawPath): Buffer => Buffer.from(path, "latin1");

/** For display: bytes that are not UTF-8 become U+FFFD. */
export const shownPath = (path: RawPath): string => bytesOf(path).toString("utf8");

/** Splits fields that end with NUL. Yields to the event loop, because there may be megabytes of them. */
export async function readFields(output: Buffer): Promise<RawPath[]> {
  const fields: RawPath[] = [];
  const pause = pacer();
  for (let start = 0, end = output.indexOf(0); end !== -1; start = end + 1, end = output.indexOf(0, start)) {
    fields.push(output.toString("latin1", start, end));
    await pause();
  }
  return fields;
}

/** Longer paths cannot be opened. */
const maxPathBytes = 4_096;

/** Whether a path stays below the root and out of git's own directory: a path from an index may be forged. */
export function staysBelow(path: RawPath): boolean {
  if (path.length > maxPathBytes) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !isGit(part));
}

const isGit = (part: string): boolean => part.toLowerCase() === ".git";

export const parentOf = (path: RawPath): RawPath => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

/** The path as a line of a list that git reads: quoted, so that a newline in the path does not end the line. */
export function quotedRaw(path: RawPath): string {
  return `"${path.replaceAll(/[^ !#-[\]-~]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`)}"`;
}

/** A pathspec for exactly this path from the root. Arguments are UTF-8; a byte that is not is matched as any byte. */
export function pathspec(path: RawPath): string {
  const shown = shownPath(path);
  if (rawPath(shown) === path) return `:(literal,top)${shown}`;
  return `:(glob,top)${path.replaceAll(/[*?[\\]/g, String.raw`\$&`).replaceAll(/[\u0080-\u{ff}]/gu, "?")}`;
}

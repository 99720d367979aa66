// `@path` in what is written: which one the cursor is in, and the text once it is completed. Pure.

export interface Mention {
  /** The position of its @. */
  start: number;
  end: number;
  /** What is written of the path so far. */
  query: string;
}

/** The mention that is being written where the cursor is; null: none is. */
export function mentionAt(text: string, cursor: number): Mention | null {
  const before = text.slice(0, cursor);
  // As the worker reads them: at the beginning, or after a space or a bracket; a quote holds spaces together.
  const found = /(?:^|[\s([{<"'`])@(?:"([^"\n]*)|([^\s"'`@]*))$/.exec(before);
  if (found === null) return null;
  const query = found[1] ?? found[2] ?? "";
  const start = before.lastIndexOf("@");
  const rest = found[1] === undefined ? (/^[^\s"'`]*/.exec(text.slice(cursor))?.[0] ?? "") : "";
  return { start, end: cursor + rest.length, query: query + rest };
}

export const mentionOf = (path: string): string => (/[\s"'`]/.test(path) ? `@"${path}"` : `@${path}`);

/** A directory stays open, so that a path in it can follow. */
export function completeMention(
  text: string,
  { start, end }: Mention,
  path: string,
): { text: string; cursor: number } {
  const isDirectory = path.endsWith("/");
  const written = isDirectory && !/[\s"'`]/.test(path) ? `@${path}` : `${mentionOf(path)} `;
  const after = text.slice(end).replace(/^ /, isDirectory ? " " : "");
  return { text: text.slice(0, start) + written + after, cursor: start + written.length };
}

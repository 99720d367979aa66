// Who wrote a message that a worker shows: the server names the author before it gives the message to the worker.
import type { Author } from "../people/author.ts";
import type { PendingAuthor, Transcript } from "../transcript/transcript.ts";

/** A worker that shows none of its messages must not make the list longer for ever. */
const maxPending = 100;

export const addAuthor = (
  pending: readonly PendingAuthor[],
  { key, by, command }: PendingAuthor,
): readonly PendingAuthor[] => [...pending.slice(1 - maxPending), { key, by, command }];

/** The author of the next message, and who is left. A worker that knows no keys shows messages in the order in which it got them. */
export function takeAuthor(
  pending: readonly PendingAuthor[],
  { command, key }: { command: PendingAuthor["command"]; key?: string | undefined },
): { by: Author | undefined; left: readonly PendingAuthor[] } {
  const at = pending.findIndex((known) => known.command === command && (key ?? known.key) === known.key);
  return { by: pending[at]?.by, left: at === -1 ? pending : pending.toSpliced(at, 1) };
}

/** Without a list of nobody, so that equal transcripts are equal values. */
export function withAuthors(before: Transcript, authors: readonly PendingAuthor[]): Transcript {
  const { authors: _before, ...rest } = before;
  return authors.length === 0 ? rest : { ...rest, authors };
}

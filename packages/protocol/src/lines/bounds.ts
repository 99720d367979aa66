// What small texts and times from outside may be. Names and ids are kept in records, lists and maps, and repeated in every
// message about a session, so one of a megabyte would be paid for thousands of times.
import * as z from "zod/mini";

/** A name, an id, a model, a path within a message. */
export const longestLabel = 1_000;
export const Label = z.string().check(z.maxLength(longestLabel));

/** The id of a command: the server keeps it with its response. */
export const longestCommandId = 200;
export const CommandId = z.string().check(z.maxLength(longestCommandId));

/** The abilities of a worker, and other short lists. */
export const Labels = z.array(Label).check(z.maxLength(500));

const earliest = Date.UTC(2000, 0);
const latest = Date.UTC(2100, 0);

/** Milliseconds, or null where the text is no time in which an agent could have worked. */
export function readTime(text: string): number | null {
  const time = Date.parse(text);
  return time >= earliest && time < latest ? time : null;
}

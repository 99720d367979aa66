// Lists that grow in place. To append to a list by copying it costs as much as the list is long, so that a session
// would cost the square of its length. The only holder of a transcript may let its lists grow instead; for every other
// reader a transcript is immutable.
import type { Transcript } from "./transcript.ts";

const growing = new WeakSet<object>();
const mayGrow = <T>(list: readonly T[]): list is T[] => growing.has(list);

/** The list with more at its end: the same one if it may grow, else another. */
export function append<T>(list: readonly T[], more: readonly T[]): readonly T[] {
  if (!mayGrow(list)) return [...list, ...more];
  for (const item of more) list.push(item);
  return list;
}

/** The list with another item in that place. */
export function replaceAt<T>(list: readonly T[], index: number, item: T): readonly T[] {
  if (!mayGrow(list)) return list.map((known, at) => (at === index ? item : known));
  list[index] = item;
  return list;
}

/** The list without the item in that place; near its end, a list that may grow is not copied. */
export function removeAt<T>(list: readonly T[], index: number): readonly T[] {
  if (!mayGrow(list)) return list.filter((_, at) => at !== index);
  list.splice(index, 1);
  return list;
}

/** A transcript that only its owner holds: what is folded into it may change its lists. */
export function letGrow(transcript: Transcript): Transcript {
  const messages = own(transcript.messages);
  const marks = own(transcript.marks);
  if (messages === transcript.messages && marks === transcript.marks) return transcript;
  return { ...transcript, messages, marks };
}

/** Others may hold it from now on, so it does not change any more. */
export function settleTranscript({ messages, marks }: Transcript): void {
  growing.delete(messages);
  growing.delete(marks);
}

function own<T>(list: readonly T[]): readonly T[] {
  if (mayGrow(list)) return list;
  const copy = [...list];
  growing.add(copy);
  return copy;
}

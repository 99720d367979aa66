// What a page keeps of a long conversation. Far from its end only prompts stay as they are. Answers and results are
// replaced by empty messages, so that every position keeps its meaning, and are fetched again when the reader scrolls
// to them. Pure: an evicted message is recognised by its identity.
import type { Message } from "@patchbay/protocol";

/** Some hundred turns: more than a reader scrolls back without a search. */
const keptNewest = 600;
/** Evicted together, so that not every message costs a copy of the list. */
const slack = 200;

/** Each empty message with the size of the one it replaces, in one number, because there are thousands. */
const evicted = new WeakMap<Message, number>();
const nothing: Message["content"] = [];
const card = 1_000_000;

export interface EvictedSize {
  characters: number;
  cards: number;
}

/** The size of an evicted message, for estimating its height. Undefined: it was not evicted. */
export function evictedSize(message: Message): EvictedSize | undefined {
  const size = evicted.get(message);
  return size === undefined ? undefined : { characters: size % card, cards: Math.floor(size / card) };
}

export interface MessageRange {
  from: number;
  to: number;
}

/** The same list, or one in which old messages are evicted, except those in use. */
export function evictMessages(messages: readonly Message[], inUse: MessageRange | null): readonly Message[] {
  const end = messages.length - keptNewest;
  if (end < slack) return messages;
  const isInUse = (index: number): boolean => inUse !== null && index >= inUse.from && index < inUse.to;
  const old = (index: number): boolean => index < end && !isInUse(index);
  let due = 0;
  for (let index = 0; index < end; index++) if (old(index) && isEvictable(messages[index])) due++;
  if (due < slack / 2) return messages;
  return messages.map((message, index) => {
    if (!old(index) || !isEvictable(message)) return message;
    const stub: Message = { role: message.role, time: message.time, content: nothing };
    evicted.set(stub, sizeOf(message));
    return stub;
  });
}

function sizeOf({ content }: Message): number {
  const texts = content.filter((block) => block.type === "text");
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
  return Math.min(card - 1, characters) + (content.length - texts.length) * card;
}

/** Prompts are few and short, and are needed: to be edited, or to go back to before them. */
const isEvictable = (message: Message | undefined): boolean =>
  message !== undefined && message.role !== "user" && !evicted.has(message);

/** Puts fetched messages back in their places; those that differ (another branch is shown) stay evicted. */
export function restoreMessages(
  messages: readonly Message[],
  fetched: readonly Message[],
  from: number,
): readonly Message[] {
  const result = [...messages];
  fetched.forEach((message, at) => {
    const stub = messages[from + at];
    if (stub === undefined || !evicted.has(stub)) return;
    if (stub.role === message.role && stub.time === message.time) result[from + at] = message;
  });
  return result;
}

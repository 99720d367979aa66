// What a page keeps of a long conversation. Far from its end only prompts stay as they are; of answers and results an
// empty message stays in their place, so that every position keeps its meaning, and what somebody scrolls to is
// fetched again. Pure: which messages these are is known by their identity.
import type { Message } from "@patchbay/protocol";

/** Some hundred turns: more than anybody scrolls back without looking for something. */
const keptNewest = 600;
/** Put away in one go, so that not every message costs a copy of the list. */
const slack = 200;

/** What stands for a message, and how many characters and cards that one had, in one number: there are thousands. */
const shelved = new WeakMap<Message, number>();
const nothing: Message["content"] = [];
const card = 1_000_000;

export interface Weight {
  characters: number;
  cards: number;
}

/** How much a message said that is put away, for whoever has to leave room for it. */
export function shelvedWeight(message: Message): Weight | undefined {
  const weight = shelved.get(message);
  return weight === undefined ? undefined : { characters: weight % card, cards: Math.floor(weight / card) };
}

export interface Range {
  from: number;
  to: number;
}

/** The same list, or one in which old messages are put away, but for those that somebody looks at. */
export function shelve(messages: readonly Message[], looksAt: Range | null): readonly Message[] {
  const end = messages.length - keptNewest;
  if (end < slack) return messages;
  const isLookedAt = (index: number): boolean =>
    looksAt !== null && index >= looksAt.from && index < looksAt.to;
  const old = (index: number): boolean => index < end && !isLookedAt(index);
  let due = 0;
  for (let index = 0; index < end; index++) if (old(index) && canGo(messages[index])) due++;
  if (due < slack / 2) return messages;
  return messages.map((message, index) => {
    if (!old(index) || !canGo(message)) return message;
    const stub: Message = { role: message.role, time: message.time, content: nothing };
    shelved.set(stub, weigh(message));
    return stub;
  });
}

function weigh({ content }: Message): number {
  const words = content.filter((block) => block.type === "text");
  const characters = words.reduce((sum, { text }) => sum + text.length, 0);
  return Math.min(card - 1, characters) + (content.length - words.length) * card;
}

/** A person's own words are few, and are looked up: to write them anew, or to go back to before them. */
const canGo = (message: Message | undefined): boolean =>
  message !== undefined && message.role !== "user" && !shelved.has(message);

/** Puts fetched messages back where they belong; what is not the same any more (another branch) stays away. */
export function unshelve(
  messages: readonly Message[],
  fetched: readonly Message[],
  from: number,
): readonly Message[] {
  const result = [...messages];
  fetched.forEach((message, at) => {
    const stub = messages[from + at];
    if (stub === undefined || !shelved.has(stub)) return;
    if (stub.role === message.role && stub.time === message.time) result[from + at] = message;
  });
  return result;
}

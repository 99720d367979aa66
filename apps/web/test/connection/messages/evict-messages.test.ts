// What a page keeps of a long conversation, and how the rest comes back.
import type { Message } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import {
  evictedSize,
  evictMessages,
  restoreMessages,
} from "../../../src/connection/messages/evict-messages.ts";

const messageAt = (index: number): Message => ({
  role: index % 2 === 0 ? "user" : "assistant",
  time: `t${index}`,
  content: [{ type: "text", text: `said ${index}` }],
});
const conversation = (length: number): Message[] => Array.from({ length }, (_, index) => messageAt(index));
const contentOf = (message: Message | undefined): unknown => message?.content;

describe("a long conversation", () => {
  it("[Y85] keeps its newest messages and all prompts, each in its place", () => {
    const messages = conversation(2_000);
    const kept = evictMessages(messages, null);
    expect(kept).toHaveLength(2_000);
    expect(kept.filter((message) => evictedSize(message) !== undefined)).toHaveLength(700);
    expect(kept[0]).toBe(messages[0]);
    expect(kept[1]).toMatchObject({ role: "assistant", time: "t1", content: [] });
    expect(kept.slice(1_400)).toEqual(messages.slice(1_400));
    expect(evictedSize(kept[1] ?? messageAt(0))).toEqual({ characters: 6, cards: 0 });
  });

  it("[Y85] is not copied for every message that comes", () => {
    const short = conversation(700);
    expect(evictMessages(short, null)).toBe(short);
    const kept = evictMessages(conversation(2_000), null);
    const longer = [...kept, messageAt(2_000), messageAt(2_001)];
    expect(evictMessages(longer, null)).toBe(longer);
  });

  it("[Y85] leaves what is in use", () => {
    const kept = evictMessages(conversation(2_000), { from: 100, to: 200 });
    expect(contentOf(kept[101])).toHaveLength(1);
    expect(contentOf(kept[99])).toHaveLength(0);
  });

  it("[Y85] gets back what is the same, and nothing of another branch", () => {
    const messages = conversation(2_000);
    const kept = evictMessages(messages, null);
    const back = restoreMessages(kept, messages.slice(10, 20), 10);
    expect(back.slice(10, 20)).toEqual(messages.slice(10, 20));
    const elsewhere = messages.slice(30, 40).map((message) => ({ ...message, time: "another" }));
    expect(restoreMessages(kept, elsewhere, 30)).toEqual(kept);
  });
});

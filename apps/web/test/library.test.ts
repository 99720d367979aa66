// The list's order, what is worth a notification, and what the composer makes of keys and files: pure functions.
import type { Branch, Message, Session } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { noticesBetween, noticeText } from "../src/attention/notices.ts";
import { withTexts } from "../src/composer/attachments/attachments.ts";
import { completeMention, mentionAt } from "../src/composer/completion/mention.ts";
import { atDraft, walkHistory, withoutRepeats } from "../src/composer/history.ts";
import { otherBranchWith } from "../src/session/banners/branch-banner.tsx";
import { groupSessions } from "../src/session-list/group-sessions.ts";

const session = (id: string, change: Partial<Session> = {}): Session => ({
  id,
  name: id,
  worker: "builtin",
  dialect: "zot",
  cwd: "/code/api",
  provider: "p",
  model: "m",
  state: "idle",
  job: null,
  message_count: 2,
  seq: 10,
  usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0 },
  pending: [],
  viewers: 0,
  created_at: `2026-01-01T00:00:0${id.length}Z`,
  updated_at: "2026-01-01T00:00:00Z",
  capabilities: [],
  ...change,
});
const question = {
  type: "extension_ui_request" as const,
  id: "q1",
  method: "confirm",
  title: "Push it?",
  asked_at: "2026-01-01T00:00:00Z",
};

describe("the list", () => {
  it("[L30] needs you first, then pinned, then by directory, newest first; archived apart, unless it needs you", () => {
    const { groups, archived } = groupSessions([
      session("a"),
      session("bbb", { cwd: "/code/web" }),
      session("cc", { pinned: true }),
      session("dddd", { state: "waiting", pending: [question], archived: true }),
      session("eeeee", { archived: true }),
      session("ffffff"),
    ]);
    expect(groups.map(({ title, sessions }) => [title, ...sessions.map(({ id }) => id)])).toEqual([
      ["Needs you", "dddd"],
      ["Pinned", "cc"],
      ["/code/api", "ffffff", "a"],
      ["/code/web", "bbb"],
    ]);
    expect(archived.map(({ id }) => id)).toEqual(["eeeee"]);
  });
});

describe("a link to what was said", () => {
  it("[L24] finds the branch it was said on, unless the one that is shown has it", () => {
    const message = (time: string): Message => ({ role: "user", content: [], time });
    const branch = (id: string, messages: Message[], shares: Branch["shares"]): Branch => ({
      id,
      shares,
      messages,
      marks: [],
      context_tokens: null,
      left: 0,
    });
    const [early, late] = ["2026-01-01T00:00:00.001Z", "2026-01-01T01:00:00.002+01:00"];
    const transcript = {
      messages: [message(early)],
      branches: [
        branch("main", [message(late)], { with: "b1", messages: 1, marks: 0 }),
        branch("b1", [], null),
      ],
    };
    expect(otherBranchWith(transcript, Date.parse(early))).toBeNull();
    expect(otherBranchWith(transcript, Date.parse(late))).toBe("main");
    expect(otherBranchWith(transcript, 5)).toBeNull();
  });
});

describe("notices", () => {
  const kinds = (was: Partial<Session>, is: Partial<Session>): string[] =>
    noticesBetween([session("a", was)], [session("a", is)]).map(({ kind }) => kind);

  it("[L33] tell of a new question, a failure and the end of a turn, each once", () => {
    expect(
      kinds({ state: "busy", job: "prompt" }, { state: "waiting", job: "prompt", pending: [question] }),
    ).toEqual(["needs"]);
    expect(
      kinds({ state: "waiting", pending: [question] }, { state: "waiting", pending: [question] }),
    ).toEqual([]);
    expect(kinds({ state: "busy", job: "prompt" }, {})).toEqual(["done"]);
    expect(kinds({}, {})).toEqual([]);
    expect(kinds({ state: "busy" }, { state: "failed", reason: "exit 1" })).toEqual(["failed"]);
    expect(kinds({ state: "failed" }, { state: "failed" })).toEqual([]);
    expect(kinds({ state: "busy", job: "prompt" }, { state: "stopped" })).toEqual([]);
    expect(noticesBetween([], [session("a", { state: "failed" })])).toEqual([]);
  });

  it("[L86] tell of a turn that failed or was stopped as that", () => {
    const busy = { state: "busy", job: "prompt" } as const;
    expect(kinds(busy, { last_turn: "failed" })).toEqual(["failed"]);
    expect(kinds(busy, { last_turn: "stopped" })).toEqual(["stopped"]);
    expect(kinds({ last_turn: "failed" }, { last_turn: "failed" })).toEqual([]);
  });

  it("[L33] a turn that was shorter than the time between two looks is told of, too", () => {
    expect(kinds({ message_count: 2 }, { message_count: 4 })).toEqual(["done"]);
    const [needs] = noticesBetween([session("a")], [session("a", { pending: [question] })]);
    expect(needs && noticeText(needs)).toEqual({ title: "Needs you: a", body: "Push it?" });
  });
});

describe("what is written", () => {
  it("[L34] goes back through what was written before, and comes back to the draft", () => {
    const prompts = withoutRepeats(["one", "two", "two", " ", "three"]);
    expect(prompts).toEqual(["one", "two", "three"]);
    const first = walkHistory(prompts, atDraft, "half", 1);
    expect(first?.text).toBe("three");
    const second = walkHistory(prompts, first?.place ?? atDraft, "three", 1);
    expect(second?.text).toBe("two");
    const third = walkHistory(prompts, second?.place ?? atDraft, "two", 1);
    expect(walkHistory(prompts, third?.place ?? atDraft, "one", 1)).toBeNull();
    expect(walkHistory(prompts, first?.place ?? atDraft, "three", -1)).toEqual({
      place: atDraft,
      text: "half",
    });
    expect(walkHistory(prompts, atDraft, "", -1)).toBeNull();
  });

  it("[L35] an @ is completed where the cursor is, with quotes where the path needs them", () => {
    const written = "see @src/re and go";
    const mention = mentionAt(written, 8);
    expect(mention).toEqual({ start: 4, end: 11, query: "src/re" });
    expect(mention && completeMention(written, mention, "src/retry.ts")).toEqual({
      text: "see @src/retry.ts and go",
      cursor: 18,
    });
    expect(mention && completeMention(written, mention, "src/")).toEqual({
      text: "see @src/ and go",
      cursor: 9,
    });
    expect(mention && completeMention(written, mention, "a b.ts").text).toBe('see @"a b.ts" and go');
    expect(mentionAt('@"a b', 5)?.query).toBe("a b");
    expect(mentionAt("me@example.org", 14)).toBeNull();
    expect(mentionAt("@done and", 9)).toBeNull();
  });

  it("[L35] a text goes along in a fence that it cannot close", () => {
    expect(withTexts("look", [{ name: "a.md", text: "x\n```js\n1\n```\n" }])).toBe(
      "look\n\nAttached file a.md:\n````\nx\n```js\n1\n```\n````",
    );
    expect(withTexts("", [{ name: "a", text: "b" }])).toBe("Attached file a:\n```\nb\n```");
  });
});

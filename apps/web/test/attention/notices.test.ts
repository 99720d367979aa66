// Which changes of a session are worth a notification.
import type { SessionInfo } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { noticesBetween, noticeText } from "../../src/attention/notices.ts";
import { listedSession, openQuestion } from "../listed-session.ts";

describe("notices", () => {
  const kinds = (was: Partial<SessionInfo>, is: Partial<SessionInfo>): string[] =>
    noticesBetween([listedSession("a", was)], [listedSession("a", is)]).map(({ kind }) => kind);

  it("[L33] tell of a new question, a failure and the end of a turn, each once", () => {
    expect(
      kinds({ state: "busy", job: "prompt" }, { state: "waiting", job: "prompt", pending: [openQuestion] }),
    ).toEqual(["needs"]);
    expect(
      kinds({ state: "waiting", pending: [openQuestion] }, { state: "waiting", pending: [openQuestion] }),
    ).toEqual([]);
    expect(kinds({ state: "busy", job: "prompt" }, {})).toEqual(["done"]);
    expect(kinds({}, {})).toEqual([]);
    expect(kinds({ state: "busy" }, { state: "failed", reason: "exit 1" })).toEqual(["failed"]);
    expect(kinds({ state: "failed" }, { state: "failed" })).toEqual([]);
    expect(kinds({ state: "busy", job: "prompt" }, { state: "stopped" })).toEqual([]);
    expect(noticesBetween([], [listedSession("a", { state: "failed" })])).toEqual([]);
    const asking = listedSession("a", { state: "waiting", pending: [openQuestion] });
    expect(noticesBetween([], [asking])).toMatchObject([{ kind: "needs" }]);
  });

  it("[L86] tell of a turn that failed or was stopped as that", () => {
    const busy = { state: "busy", job: "prompt" } as const;
    expect(kinds(busy, { last_turn: "failed" })).toEqual(["failed"]);
    expect(kinds(busy, { last_turn: "stopped" })).toEqual(["stopped"]);
    expect(kinds({ last_turn: "failed" }, { last_turn: "failed" })).toEqual([]);
  });

  it("[L33] a turn that was shorter than the time between two states is noticed, too", () => {
    expect(kinds({ message_count: 2 }, { message_count: 4 })).toEqual(["done"]);
    const [needs] = noticesBetween([listedSession("a")], [listedSession("a", { pending: [openQuestion] })]);
    expect(needs && noticeText(needs)).toEqual({ title: "Needs you: a", body: "Push it?" });
  });
});

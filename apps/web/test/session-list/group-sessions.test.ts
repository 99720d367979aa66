// The order of the session list.
import { describe, expect, it } from "vitest";
import { groupSessions } from "../../src/session-list/group-sessions.ts";
import { listedSession, openQuestion } from "../listed-session.ts";

describe("the list", () => {
  it("[L30] needs you first, then pinned, then by directory, newest first; archived apart, unless it needs you", () => {
    const { groups, archived } = groupSessions([
      listedSession("a"),
      listedSession("bbb", { cwd: "/code/web" }),
      listedSession("cc", { pinned: true }),
      listedSession("dddd", { state: "waiting", pending: [openQuestion], archived: true }),
      listedSession("eeeee", { archived: true }),
      listedSession("ffffff"),
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

// The order of the session list.
import type { SessionInfo } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { directoriesOf, groupSessions, overviewOf } from "../../src/session-list/group-sessions.ts";
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

  it("[P204] a session in a worktree belongs to the directory that the worktree was made of", () => {
    const { groups } = groupSessions([
      listedSession("a"),
      listedSession("bb", {
        cwd: "/home/.patchbay/worktrees/bb",
        project: "/code/api",
        branch: "patchbay/bb",
      }),
    ]);
    expect(groups.map(({ title, sessions }) => [title, ...sessions.map(({ id }) => id)])).toEqual([
      ["/code/api", "bb", "a"],
    ]);
  });

  it("[P200] home has what needs a person, what runs and what is recent, the latest change first; archived ones only if they need somebody", () => {
    const changed = (minute: number) => ({ updated_at: `2026-01-01T00:0${minute}:00Z` });
    const sessions = [
      listedSession("old", changed(1)),
      listedSession("new", { ...changed(3), project: "/code/web" }),
      listedSession("busy", { ...changed(2), state: "busy", job: "prompt" }),
      listedSession("shell", { ...changed(4), job: "bash" }),
      listedSession("asks", { state: "waiting", pending: [openQuestion], archived: true }),
      listedSession("away", { archived: true }),
    ];
    const names = Object.entries<SessionInfo[]>({ ...overviewOf(sessions) }).map(([part, all]) => [
      part,
      ...all.map(({ id }) => id),
    ]);
    expect(names).toEqual([
      ["needs", "asks"],
      ["running", "shell", "busy"],
      ["recent", "new", "old"],
    ]);
    expect(directoriesOf(sessions)).toEqual(["/code/api", "/code/web"]);
  });
});

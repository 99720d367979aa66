// The list's order: what needs a person first, then by directory, newest first in each.
import type { Session } from "@patchbay/protocol";

export interface Group {
  key: string;
  /** null: the group of sessions that need somebody. */
  directory: string | null;
  sessions: Session[];
}

const newestFirst = (a: Session, b: Session): number => b.created_at.localeCompare(a.created_at);
const needsSomebody = (session: Session): boolean =>
  session.state === "waiting" || session.pending.length > 0;

export function groupSessions(sessions: readonly Session[]): Group[] {
  const sorted = [...sessions].sort(newestFirst);
  const waiting = sorted.filter(needsSomebody);
  const groups = new Map<string, Session[]>();
  for (const session of sorted) {
    if (needsSomebody(session)) continue;
    const group = groups.get(session.cwd) ?? [];
    groups.set(session.cwd, [...group, session]);
  }
  const byDirectory = [...groups].map(([directory, members]) => ({
    key: directory,
    directory,
    sessions: members,
  }));
  return waiting.length === 0
    ? byDirectory
    : [{ key: "", directory: null, sessions: waiting }, ...byDirectory];
}

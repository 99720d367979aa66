// The list's order: what needs a person first, then what is pinned, then by directory, newest first in each.
// Archived sessions are apart, unless they need attention.
import type { SessionInfo } from "@patchbay/protocol";

export interface Group {
  key: string;
  kind: "needs" | "pinned" | "directory";
  title: string;
  sessions: SessionInfo[];
}

export interface Grouped {
  groups: Group[];
  archived: SessionInfo[];
}

const newestFirst = (a: SessionInfo, b: SessionInfo): number =>
  Number(b.created_at > a.created_at) - Number(b.created_at < a.created_at);

export const needsAttention = (session: SessionInfo): boolean =>
  session.state === "waiting" || session.pending.length > 0;

export function groupSessions(sessions: readonly SessionInfo[]): Grouped {
  const groups = new Map<string, Group>();
  const archived: SessionInfo[] = [];
  const put = (session: SessionInfo, group: Omit<Group, "sessions">): void => {
    const known = groups.get(group.key);
    if (known === undefined) groups.set(group.key, { ...group, sessions: [session] });
    else known.sessions.push(session);
  };
  for (const session of [...sessions].sort(newestFirst)) {
    if (needsAttention(session)) put(session, { key: "needs", kind: "needs", title: "Needs you" });
    else if (session.archived === true) archived.push(session);
    else if (session.pinned === true) put(session, { key: "pinned", kind: "pinned", title: "Pinned" });
    else put(session, { key: `in ${session.cwd}`, kind: "directory", title: session.cwd });
  }
  const rank = { needs: 0, pinned: 1, directory: 2 } as const;
  return { groups: [...groups.values()].sort((a, b) => rank[a.kind] - rank[b.kind]), archived };
}

/** The sessions from the top of the list to its end, without the archived ones. */
export const listedInOrder = (sessions: readonly SessionInfo[]): SessionInfo[] =>
  groupSessions(sessions).groups.flatMap((group) => group.sessions);

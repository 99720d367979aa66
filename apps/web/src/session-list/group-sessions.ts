// The list's order: what needs a person first, then what is pinned, then by project, newest first in each. A session in a
// worktree belongs to the directory that the worktree was made of. Archived sessions are apart, unless they need attention.
import type { SessionInfo } from "@patchbay/protocol";
import { sessionListTexts } from "./texts.ts";

export interface Group {
  key: string;
  kind: "needs" | "pinned" | "directory";
  /** Of a directory: its path. */
  title: string;
  sessions: SessionInfo[];
}

export interface Grouped {
  groups: Group[];
  archived: SessionInfo[];
}

const descending = (a: string, b: string): number => Number(b > a) - Number(b < a);

const newestFirst = (a: SessionInfo, b: SessionInfo): number => descending(a.created_at, b.created_at);

/** The directory that a session is for, which is not its own where it has a worktree. */
export const projectDirectory = ({ project, cwd }: Pick<SessionInfo, "project" | "cwd">): string =>
  project ?? cwd;

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
    const directory = projectDirectory(session);
    if (needsAttention(session))
      put(session, { key: "needs", kind: "needs", title: sessionListTexts.needsYou });
    else if (session.archived === true) archived.push(session);
    else if (session.pinned === true)
      put(session, { key: "pinned", kind: "pinned", title: sessionListTexts.pinned });
    else put(session, { key: `in ${directory}`, kind: "directory", title: directory });
  }
  const rank = { needs: 0, pinned: 1, directory: 2 } as const;
  return { groups: [...groups.values()].sort((a, b) => rank[a.kind] - rank[b.kind]), archived };
}

/** The sessions from the top of the list to its end, without the archived ones. */
export const listedInOrder = (sessions: readonly SessionInfo[]): SessionInfo[] =>
  groupSessions(sessions).groups.flatMap((group) => group.sessions);

export interface Overview {
  needs: SessionInfo[];
  running: SessionInfo[];
  recent: SessionInfo[];
}

/** What the home page shows: the sessions that wait for a person, those at work, and the rest, the latest change first. */
export function overviewOf(sessions: readonly SessionInfo[]): Overview {
  const overview: Overview = { needs: [], running: [], recent: [] };
  for (const session of sessions) {
    if (needsAttention(session)) overview.needs.push(session);
    else if (session.state === "busy" || session.state === "starting" || session.job !== null)
      overview.running.push(session);
    else if (session.archived !== true) overview.recent.push(session);
  }
  const latestFirst = (a: SessionInfo, b: SessionInfo): number => descending(a.updated_at, b.updated_at);
  for (const part of Object.values(overview)) part.sort(latestFirst);
  return overview;
}

/** Directories of sessions, the one that was worked in last first. */
export function directoriesOf(sessions: readonly SessionInfo[]): string[] {
  const ordered = [...sessions].sort((a, b) => descending(a.updated_at, b.updated_at));
  return [...new Set(ordered.map(projectDirectory))];
}

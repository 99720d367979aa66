// The branches of a transcript: going back to before a prompt, and walking from one way on to another.
// Pure, and used by the fold and by the worker alike. The tree is always rooted in the branch that is
// shown, so that walking is swapping the ends of two branches, again and again along the way.
import { type Message, messageText } from "../events/message.ts";
import type { Branch, Mark, Transcript } from "./transcript.ts";

/** The part of a transcript that branches. */
type Line = Pick<Transcript, "messages" | "marks" | "context_tokens" | "branch" | "branches">;

/** A place where the conversation went on in more than one way. */
export interface BranchPoint {
  /** How many messages stand before it; the ways differ from the next one on. */
  at: number;
  /** Where each way leads, the oldest first. Of several branches on one way, the one last shown. */
  branches: string[];
  /** Which of them is shown. */
  chosen: number;
}

/** The prompt of that id on the branch that is shown; -1 when there is none. */
export const promptIndex = (messages: readonly Message[], entryId: string): number =>
  messages.findIndex((message) => message.role === "user" && message.entry_id === entryId);

/** Goes on as a new branch from before that prompt, or from the very beginning; null when that cannot be. */
export function startBranch<T extends Line>(before: T, entryId: string | null, id: string): T | null {
  const at = entryId === null ? 0 : promptIndex(before.messages, entryId);
  if (at === -1 || before.branches.some((branch) => branch.id === id)) return null;
  // Marks that stand right before the prompt belong to what came before it.
  const marks = entryId === null ? 0 : before.marks.filter((mark) => mark.at <= at).length;
  const left = leave(before, id, at, marks);
  const kept = before.marks.slice(0, marks);
  return {
    ...before,
    messages: before.messages.slice(0, at),
    marks: kept,
    context_tokens: contextAfter(kept),
    branch: id,
    branches: dropEmpty([...left, shownBranch(id)]),
  };
}

/** The agent reported the name under which it can open a branch that was left. */
export const nameBranch = <T extends Line>(line: T, id: string, agent_session: string | undefined): T =>
  agent_session === undefined
    ? line
    : {
        ...line,
        branches: line.branches.map((branch) => (branch.id === id ? { ...branch, agent_session } : branch)),
      };

/** Shows another branch, where it ended; null when there is none of that id. */
export function walkTo<T extends Line>(before: T, id: string): T | null {
  const way: string[] = [];
  for (let at = find(before.branches, id); at !== undefined && at.shares !== null; ) {
    if (way.includes(at.id)) return null; // no tree: it was not made here
    way.unshift(at.id);
    at = find(before.branches, at.shares.with);
    if (at === undefined) return null;
  }
  if (way.length === 0) return before.branch === id ? before : null;
  const walked = way.reduce(swap, before);
  return { ...walked, branches: walked.branches.map((branch) => passedBy(branch, before)) };
}

/** All messages of a branch. */
export const messagesOf = (line: Line, id: string): readonly Message[] => walkTo(line, id)?.messages ?? [];

/** Where the branch that is shown is not the only way on, in order. */
export function branchPoints(line: Line): BranchPoint[] {
  const points = new Map<number, Map<string, Way>>();
  line.branches.forEach((branch, age) => {
    const parting = partsFrom(line.branches, branch);
    if (parting === null) return;
    const shown = { age: shownAge(line, parting.at), branch: line.branch, left: 0 };
    const ways = points.get(parting.at) ?? new Map<string, Way>([[line.branch, shown]]);
    points.set(parting.at, ways);
    const way = ways.get(parting.way) ?? { age, branch: branch.id, left: branch.left };
    const newest = branch.left > way.left ? { branch: branch.id, left: branch.left } : {};
    ways.set(parting.way, { ...way, ...newest });
  });
  return [...points.entries()]
    .sort(([a], [b]) => a - b)
    .map(([at, ways]) => {
      const branches = [...ways.values()].sort((a, b) => a.age - b.age).map(({ branch }) => branch);
      return { at, branches, chosen: branches.indexOf(line.branch) };
    });
}

/** One way on from a branch point: as old as its oldest branch, and leading to the one last left. */
interface Way {
  age: number;
  branch: string;
  left: number;
}

/** The tree as `get_branches` tells it. */
export function describeBranches(line: Line) {
  return {
    branch: line.branch,
    branches: line.branches.map((branch) => {
      const parting = partsFrom(line.branches, branch);
      const messages = messagesOf(line, branch.id);
      const own = messages.slice(parting?.at ?? 0).find(({ entry_id }) => entry_id !== undefined);
      return {
        branch: branch.id,
        /** How many messages it shares with the one that is shown. */
        parts_at: parting?.at ?? messages.length,
        message_count: messages.length,
        text: own === undefined ? "" : messageText(own),
      };
    }),
    points: branchPoints(line),
  };
}

const shownBranch = (id: string): Branch => ({
  id,
  shares: null,
  messages: [],
  marks: [],
  context_tokens: null,
  left: 0,
});

const find = (branches: readonly Branch[], id: string): Branch | undefined =>
  branches.find((branch) => branch.id === id);

/** Where a branch parts from the shown one, and the branch by which that way is known. */
function partsFrom(branches: readonly Branch[], branch: Branch): { at: number; way: string } | null {
  let found: { at: number; way: string } | null = null;
  for (let next: Branch | undefined = branch; next !== undefined && next.shares !== null; ) {
    if (found === null || next.shares.messages < found.at) found = { at: next.shares.messages, way: next.id };
    next = find(branches, next.shares.with);
  }
  return found;
}

/** The way that is shown is as old as the oldest branch that goes it. */
function shownAge(line: Line, at: number): number {
  return line.branches.findIndex((branch) => {
    const parting = partsFrom(line.branches, branch);
    return parting === null || parting.at > at;
  });
}

/** The branches once the shown one is left for `next`, with which it shares its beginning. */
function leave(before: Line, next: string, messages: number, marks: number): Branch[] {
  const left = 1 + Math.max(...before.branches.map((branch) => branch.left));
  return before.branches.map((branch) =>
    branch.id === before.branch
      ? {
          ...branch,
          shares: { with: next, messages, marks },
          messages: before.messages.slice(messages),
          marks: before.marks.slice(marks),
          context_tokens: before.context_tokens,
          left,
        }
      : branch,
  );
}

/** Shows a branch that shares directly with the shown one. */
function swap<T extends Line>(before: T, id: string): T {
  const branch = find(before.branches, id);
  if (branch === undefined || branch.shares === null) return before;
  const { messages, marks } = branch.shares;
  const branches = leave(before, id, messages, marks).map((other) =>
    other.id === id ? { ...other, ...shownBranch(id) } : other,
  );
  return {
    ...before,
    messages: [...before.messages.slice(0, messages), ...branch.messages],
    marks: [...before.marks.slice(0, marks), ...branch.marks],
    context_tokens: branch.context_tokens,
    branch: id,
    branches: dropEmpty(branches),
  };
}

/** A branch that was only passed on the way was not left: its time stays. */
function passedBy(branch: Branch, before: Line): Branch {
  const was = find(before.branches, branch.id);
  return was === undefined || was.shares === null || branch.shares === null
    ? branch
    : { ...branch, left: was.left };
}

/** A branch without messages is dropped; what shares with it then shares with the one it lies in. */
function dropEmpty(branches: Branch[]): Branch[] {
  const empty = branches.find(({ shares, messages }) => shares !== null && messages.length === 0);
  if (empty === undefined || empty.shares === null) return branches;
  const { with: heir, marks } = empty.shares;
  return branches.flatMap((branch) => {
    if (branch.id === empty.id) return [];
    const { shares } = branch;
    if (shares?.with !== empty.id) return [branch];
    return [{ ...branch, shares: { ...shares, with: heir, marks: Math.min(marks, shares.marks) } }];
  });
}

/** How full the context was at the end of these marks, as far as they tell. */
function contextAfter(marks: readonly Mark[]): number | null {
  const last = marks.findLast((mark) => mark.kind === "turn" || mark.kind === "compaction");
  return last?.kind === "turn" ? (last.context_tokens ?? null) : null;
}

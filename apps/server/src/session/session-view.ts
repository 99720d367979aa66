// A session as programs outside see it: its record, and the current state of its worker, its turn and its
// questions.
import type { SessionInfo, SessionState, Usage } from "@patchbay/protocol";
import type { WorkerKind } from "../machine/machine.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { LiveTranscript } from "./log/live-transcript.ts";
import type { WorkerSlot } from "./worker/worker-slot.ts";

/** What is not in the record, or is newer than there. */
type Current = Pick<SessionInfo, "job" | "pending" | "capabilities" | "seq" | "usage" | "viewers"> &
  LiveTranscript["summary"];

interface Parts {
  record: SessionRecord;
  worker: WorkerSlot;
  logProblem: string | undefined;
  holder: string | undefined;
  resources: SessionInfo["resources"];
  silentSince: string | undefined;
  kind: Pick<WorkerKind, "name" | "runs">;
  current: Current;
}

/** Written out: of so many fields, spreads make an object of 6 KB, and each turn makes several. */
export function sessionView(parts: Parts): SessionInfo {
  const { record, worker, logProblem, holder, resources, silentSince, kind, current } = parts;
  const { failure, link } = worker;
  const state = stateOf(worker, current.job !== null, current.pending.length > 0);
  const view = infoOf(record, current, state, holder);
  if (kind.name !== "builtin" && kind.runs !== "daemon") view.sandboxed = kind.runs === "sandboxed";
  if (failure !== undefined) view.reason = failure;
  if (logProblem !== undefined) view.trouble = logProblem;
  if (link?.pid !== undefined) view.pid = link.pid;
  if (resources !== undefined) view.resources = resources;
  if (silentSince !== undefined) view.silent_since = silentSince;
  return view;
}

/** The view of a session that is not open. `problem`: why it cannot be opened. */
export function viewOfClosed(
  record: SessionRecord,
  usage: Usage,
  { problem, holder }: { problem: string | undefined; holder: string | undefined },
): SessionInfo {
  const { seq, message_count, summary, capabilities = [] } = record;
  const current: Current = {
    ...{ job: null, pending: [], viewers: 0, capabilities: [...capabilities], seq, usage, message_count },
    ...summary,
  };
  const view = infoOf(record, current, problem === undefined ? "stopped" : "failed", holder);
  if (problem !== undefined) view.reason = problem;
  return view;
}

function infoOf(
  record: SessionRecord,
  current: Current,
  state: SessionState,
  holder: string | undefined,
): SessionInfo {
  const { project, worktree, deletes_at, access } = record;
  // A session without an owner is the token holder's. Without people no session has one.
  const owner = record.owner ?? holder;
  const { last_line, last_turn, interrupted } = current;
  const view: SessionInfo = {
    id: record.id,
    name: record.name,
    worker: record.worker,
    dialect: record.dialect,
    cwd: record.cwd,
    provider: record.provider,
    model: record.model,
    created_at: record.created_at,
    updated_at: record.updated_at,
    seq: current.seq,
    message_count: current.message_count,
    pinned: record.pinned,
    archived: record.archived,
    state,
    job: current.job,
    usage: current.usage,
    pending: current.pending,
    viewers: current.viewers,
    capabilities: current.capabilities,
  };
  if (project !== undefined) view.project = project;
  if (worktree !== undefined) view.branch = worktree.branch;
  if (deletes_at !== null) view.deletes_at = deletes_at;
  if (owner !== undefined) view.owner = owner;
  if (access !== undefined) view.access = access;
  if (last_line !== undefined) view.last_line = last_line;
  if (last_turn !== undefined) view.last_turn = last_turn;
  if (interrupted !== undefined) view.interrupted = interrupted;
  return view;
}

function stateOf(worker: WorkerSlot, isRunning: boolean, hasQuestion: boolean): SessionState {
  switch (worker.is) {
    case "empty":
      return worker.failure === undefined ? "stopped" : "failed";
    case "starting":
      return hasQuestion ? "waiting" : "starting"; // a person is asked before it is started
    case "stopping":
      return "stopped";
    case "ready":
      if (hasQuestion) return "waiting";
      return isRunning ? "busy" : "idle";
  }
}

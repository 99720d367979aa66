// A session as programs outside see it: its record, and the current state of its worker, its turn and its
// questions.
import type { SessionInfo, SessionState, Usage } from "@patchbay/protocol";
import type { WorkerKind } from "../machine/machine.ts";
import type { SessionRecord } from "../store/session-record.ts";
import type { LiveTranscript } from "./log/live-transcript.ts";
import type { WorkerSlot } from "./worker/worker-slot.ts";

interface Parts {
  record: SessionRecord;
  worker: WorkerSlot;
  logProblem: string | undefined;
  holder: string | undefined;
  resources: SessionInfo["resources"];
  kind: Pick<WorkerKind, "name" | "runs">;
  current: Pick<SessionInfo, "job" | "pending" | "capabilities" | "seq" | "usage" | "viewers"> &
    LiveTranscript["summary"];
}

export function sessionView({
  record,
  worker,
  logProblem,
  holder,
  resources,
  kind,
  current,
}: Parts): SessionInfo {
  const { failure, link } = worker;
  return {
    ...recordFields(record),
    ...ownerOf(record, holder),
    ...current,
    state: stateOf(worker, current.job !== null, current.pending.length > 0),
    ...(kind.name === "builtin" || kind.runs === "daemon" ? {} : { sandboxed: kind.runs === "sandboxed" }),
    ...(failure === undefined ? {} : { reason: failure }),
    ...(logProblem === undefined ? {} : { trouble: logProblem }),
    ...(link?.pid === undefined ? {} : { pid: link.pid }),
    ...(resources === undefined ? {} : { resources }),
  };
}

type RecordFields = Omit<
  SessionRecord,
  "process" | "agent_session" | "deletes_at" | "worktree" | "summary" | "capabilities"
> &
  Pick<SessionInfo, "deletes_at" | "branch">;

/** A record object never changes, and copying its fields is expensive: the view is computed twice per turn or more. */
const cache = new WeakMap<SessionRecord, RecordFields>();

/** The fields that need no open session. */
function recordFields(record: SessionRecord): RecordFields {
  const cached = cache.get(record);
  if (cached !== undefined) return cached;
  const {
    process: _process,
    agent_session: _own,
    summary: _summary,
    capabilities: _capabilities,
    deletes_at,
    worktree,
    ...plain
  } = record;
  const fields = {
    ...plain,
    ...(deletes_at === null ? {} : { deletes_at }),
    ...(worktree === undefined ? {} : { branch: worktree.branch }),
  };
  cache.set(record, fields);
  return fields;
}

/** A session without an owner is the token holder's. Without people no session has one. */
const ownerOf = ({ owner }: SessionRecord, holder: string | undefined): { owner?: string } =>
  holder === undefined ? {} : { owner: owner ?? holder };

/** The view of a session that is not open. `problem`: why it cannot be opened. */
export const viewOfClosed = (
  record: SessionRecord,
  usage: Usage,
  { problem, holder }: { problem: string | undefined; holder: string | undefined },
): SessionInfo => ({
  ...recordFields(record),
  ...ownerOf(record, holder),
  ...record.summary,
  ...(problem === undefined ? {} : { reason: problem }),
  state: problem === undefined ? "stopped" : "failed",
  job: null,
  usage,
  pending: [],
  viewers: 0,
  capabilities: [...(record.capabilities ?? [])],
});

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

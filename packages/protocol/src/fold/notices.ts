// Marks between messages that do not come from the model: notices of extensions and of the server, and retries of a model
// call. They do not pile up: a repeated notice is counted, and of a flood the newest are kept.
import type { UiRequestEvent } from "../events/events.ts";
import { UiUpdate } from "../events/ui-state-events.ts";
import type { UiResolvedFrame } from "../frames/server-frames.ts";
import { append, removeAt, replaceAt } from "../transcript/growing.ts";
import type { Mark, Transcript } from "../transcript/transcript.ts";

/** Notices kept at one place of the transcript; a person reads fewer, and all of them are in every snapshot. */
const noticesAtOnePlace = 100;

export const withMark = (before: Transcript, mark: Mark): Transcript => ({
  ...before,
  marks: append(before.marks, [mark]),
});

export function notice(before: Transcript, source: string, level: string, text: string): Transcript {
  const at = before.messages.length;
  const last = before.marks.at(-1);
  if (last?.kind === "notice" && last.at === at && last.source === source && last.text === text) {
    return replaceLast(before, { ...last, level, count: (last.count ?? 1) + 1 });
  }
  const next = withMark(before, { kind: "notice", at, source, level, text });
  const index = next.marks.length - noticesAtOnePlace - 1;
  const oldest = next.marks[index];
  if (oldest?.kind !== "notice" || oldest.at !== at) return next;
  return { ...next, marks: removeAt(next.marks, index) };
}

/** omp's `notify`; every other method is no notice. */
export function uiNotice(before: Transcript, frame: UiRequestEvent): Transcript {
  const read = UiUpdate.safeParse(frame);
  if (!read.success || read.data.method !== "notify") return before;
  const { message, notifyType, extension } = read.data;
  return notice(before, extension ?? "extension", levels.get(notifyType ?? "") ?? "info", message);
}

const levels: ReadonlyMap<string, string> = new Map([
  ["warning", "warn"],
  ["warn", "warn"],
  ["error", "error"],
  ["success", "success"],
]);

/** Open questions travel with the session; how one ended belongs where it was asked. */
export function settleQuestion(before: Transcript, frame: UiResolvedFrame): Transcript {
  const asked = before.surface.asked.find(({ id }) => id === frame.id);
  if (asked === undefined) return before;
  const { value, confirmed, cancelled, reason, by, answered_by, permission } = frame;
  const given = cancelled === true ? null : (value ?? (confirmed === true ? "Yes" : "No"));
  const answer = given === null || reason === undefined ? given : `${given}: ${reason}`;
  const { allows, ...question } = asked;
  const isDecided = allows !== undefined && (by === "viewer" || by === "permission");
  return withMark(before, {
    kind: "question",
    at: before.messages.length,
    ...question,
    answer,
    by,
    ...(isDecided ? { decision: given !== null && allows.includes(given) ? "allowed" : "denied" } : {}),
    ...(isDecided && reason !== undefined ? { reason } : {}),
    ...(answered_by === undefined ? {} : { answered_by }),
    ...(permission === undefined ? {} : { permission }),
  });
}

/** The next attempt takes the place of the one before it: a reader wants to know how many there were. */
export function startRetry(
  before: Transcript,
  frame: {
    attempt: number;
    maxAttempts: number;
    delayMs: number;
    errorMessage: string;
    time?: string | undefined;
  },
): Transcript {
  const mark: Mark = {
    kind: "retry",
    at: before.messages.length,
    attempt: frame.attempt,
    max_attempts: frame.maxAttempts,
    delay_ms: frame.delayMs,
    ...(frame.time === undefined ? {} : { time: frame.time }),
    error: frame.errorMessage,
    outcome: "waiting",
  };
  const last = before.marks.at(-1);
  const again = last?.kind === "retry" && last.outcome === "waiting" && last.at === mark.at;
  return again ? replaceLast(before, mark) : withMark(before, mark);
}

export function endRetry(before: Transcript, success: boolean): Transcript {
  const at = before.marks.findLastIndex((mark) => mark.kind === "retry");
  const mark = before.marks[at];
  if (mark?.kind !== "retry" || mark.outcome !== "waiting") return before;
  const ended: Mark = { ...mark, outcome: success ? "succeeded" : "failed" };
  return { ...before, marks: replaceAt(before.marks, at, ended) };
}

const replaceLast = (before: Transcript, mark: Mark): Transcript => ({
  ...before,
  marks: replaceAt(before.marks, before.marks.length - 1, mark),
});

// Where a tool call stands. Its result is in the messages, or in the running step, or nowhere, when
// the turn ended before the tool did.
import type { ResultContent, ResultDetails, ToolResultBlock, ToolRun } from "@patchbay/protocol";

export type ToolState =
  | { state: "writing"; argsText: string }
  | { state: "running"; output: string }
  /** A person is asked whether it may run. `isOnCard`: the question is the one that is shown, with all of the call. */
  | { state: "waiting"; isOnCard: boolean }
  | {
      state: "done";
      failed: boolean;
      /** Why it has no ordinary result: a person did not allow it or stopped it, or its agent ended while it ran. */
      ended: ToolEnd | null;
      content: readonly ResultContent[];
      duration: number | null;
      /** The result once more, made for a page; empty where the worker gives none. */
      details: ResultDetails;
    }
  | { state: "lost" };

/** `question`: its place among the open ones; −1: none is about this call. */
export function toolState(
  result: ToolResultBlock | undefined,
  run: ToolRun | undefined,
  question = -1,
): ToolState {
  if (result !== undefined) {
    const { is_error, content, duration_ms, details } = result;
    return {
      state: "done",
      failed: is_error,
      ended: endOf(details),
      content,
      duration: duration_ms ?? null,
      details: details ?? {},
    };
  }
  if (question >= 0 && run?.state !== "done") return { state: "waiting", isOnCard: question === 0 };
  if (run === undefined) return { state: "lost" };
  if (run.state === "streaming") return { state: "writing", argsText: run.args_text };
  if (run.state === "called") return { state: "running", output: run.output };
  return {
    state: "done",
    failed: run.is_error ?? false,
    ended: endOf(run.details),
    content: run.result ?? [],
    duration: run.duration_ms ?? null,
    details: run.details ?? {},
  };
}

const toolEnds = ["denied", "stopped", "interrupted"] as const;
type ToolEnd = (typeof toolEnds)[number];

const endOf = (details: ResultDetails = {}): ToolEnd | null =>
  toolEnds.find((end) => details[end] === true) ?? null;

export const resultText = (content: readonly ResultContent[]): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

export const hasPicture = (state: ToolState): boolean =>
  state.state === "done" && state.content.some((block) => block.type === "image" && block.data !== undefined);

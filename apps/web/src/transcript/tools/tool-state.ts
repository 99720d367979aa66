// Where a tool call stands. Its result is in the messages, or in the running step, or nowhere, when
// the turn ended before the tool did.
import type { ResultContent, ResultDetails, ToolResultBlock, ToolRun } from "@patchbay/protocol";

export type ToolState =
  | { state: "writing"; argsText: string }
  | { state: "running"; output: string }
  | {
      state: "done";
      failed: boolean;
      content: readonly ResultContent[];
      duration: number | null;
      /** The result once more, made for a page; empty where the worker gives none. */
      details: ResultDetails;
    }
  | { state: "lost" };

export function toolState(result: ToolResultBlock | undefined, run: ToolRun | undefined): ToolState {
  if (result !== undefined) {
    const { is_error, content, duration_ms, details } = result;
    return {
      state: "done",
      failed: is_error,
      content,
      duration: duration_ms ?? null,
      details: details ?? {},
    };
  }
  if (run === undefined) return { state: "lost" };
  if (run.state === "streaming") return { state: "writing", argsText: run.args_text };
  if (run.state === "called") return { state: "running", output: run.output };
  return {
    state: "done",
    failed: run.is_error ?? false,
    content: run.result ?? [],
    duration: run.duration_ms ?? null,
    details: run.details ?? {},
  };
}

export const resultText = (content: readonly ResultContent[]): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

export const hasPicture = (state: ToolState): boolean =>
  state.state === "done" && state.content.some((block) => block.type === "image" && block.data !== undefined);

// Where a tool call stands. Its result is in the messages, or in the running step, or nowhere, when
// the turn ended before the tool did.
import type { ResultContent, ToolRun } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { useFeedState } from "../../connection/use-feed.ts";
import { resultsOf } from "../entries.ts";

export type ToolState =
  | { state: "writing"; argsText: string }
  | { state: "running"; output: string }
  | { state: "done"; failed: boolean; content: readonly ResultContent[]; duration: number | null }
  | { state: "lost" };

export function useToolState(id: string): ToolState {
  const result = useFeedState((feed) => resultsOf(feed.transcript.messages).get(id));
  const run = useFeedState((feed) => feed.transcript.partial?.tools.find((tool) => tool.id === id));
  if (result !== undefined) {
    return {
      state: "done",
      failed: result.is_error,
      content: result.content,
      duration: result.duration_ms ?? null,
    };
  }
  return run === undefined ? { state: "lost" } : fromRun(run);
}

function fromRun(run: ToolRun): ToolState {
  if (run.state === "streaming") return { state: "writing", argsText: run.args_text };
  if (run.state === "called") return { state: "running", output: run.output };
  return {
    state: "done",
    failed: run.is_error ?? false,
    content: run.result ?? [],
    duration: run.duration_ms ?? null,
  };
}

export const resultText = (content: readonly ResultContent[]): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

/** Milliseconds since the component saw `running` become true, renewed about every second. */
export function useElapsed(running: boolean, since?: number): number {
  const [start] = useState(() => since ?? Date.now());
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(0, now - (since ?? start));
}

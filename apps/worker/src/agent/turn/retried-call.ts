// A model call that is tried again when its failure may pass: exponential pauses with jitter, or what the
// provider asked for. Every attempt is visible, and every accepted one is counted, because it was paid for.
import { type Answer, cancelled, type ModelCall } from "../../models/adapter.ts";
import type { Agent } from "../agent.ts";
import { callModel } from "./model-call.ts";

/** With pauses of 1, 2, 4, 8 and 16 s this outlasts a provider's hiccup, and not a person's patience. */
const maxAttempts = 5;
/** A provider that asks for more than this shall be asked again by a person. */
const longestPause = 60_000;

export async function callPatiently(agent: Agent, call: ModelCall, show: boolean): Promise<Answer> {
  let answer = await callModel(agent, call, show);
  let attempt = 0;
  const end = (success: boolean, finalError?: string): void => {
    if (attempt === 0) return;
    agent.output.write({
      type: "auto_retry_end",
      success,
      attempt,
      ...(finalError === undefined ? {} : { finalError }),
    });
  };
  while (answer.stop === "error") {
    const delayMs = pauseBefore(agent, answer, attempt + 1);
    if (delayMs === null) {
      end(false, answer.error);
      return answer;
    }
    attempt++;
    agent.output.write({
      type: "auto_retry_start",
      attempt,
      maxAttempts,
      delayMs,
      errorMessage: answer.error ?? "the model failed",
      time: new Date().toISOString(),
    });
    const how = await agent.retryPause.wait(delayMs, call.signal);
    if (how !== "over") {
      end(false, how === "aborted" ? "aborted" : answer.error);
      // What was half streamed has been taken back; only the failure is left of it.
      return how === "aborted"
        ? { ...answer, content: [], stop: "aborted", error: cancelled }
        : { ...answer, content: [] };
    }
    answer = await callModel(agent, call, show);
  }
  end(answer.stop !== "aborted", answer.stop === "aborted" ? "aborted" : undefined);
  return answer;
}

/** Null: it is not tried again. */
function pauseBefore({ modes, config }: Agent, { failure }: Answer, attempt: number): number | null {
  if (!modes.autoRetry || failure?.kind !== "passing" || attempt > maxAttempts) return null;
  const { afterMs } = failure;
  if (afterMs !== undefined) return afterMs <= longestPause ? afterMs : null;
  // Jitter, so that many workers that failed together do not come back together.
  const jitter = 0.75 + Math.random() / 2;
  return Math.round(Math.min(longestPause, config.retryDelayMs * 2 ** (attempt - 1) * jitter));
}

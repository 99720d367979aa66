// A model call that is tried again when its failure may pass: exponential pauses with jitter, or what the
// provider asked for. Every attempt is visible, and every accepted one is counted, because it was paid for.
import { cancelled, type ModelAnswer, type ModelCall } from "../../models/adapters/adapter.ts";
import type { TurnModes } from "../conversation/turn-modes.ts";
import { type CallParts, callModel } from "./model-call.ts";
import type { RetryPause } from "./retry-pause.ts";

/** With pauses of 1, 2, 4, 8 and 16 s this outlasts a short failure of a provider, and a person can still wait for it. */
const maxAttempts = 5;
/** When a provider asks for a longer pause than this, the person decides when to try again. */
const longestPause = 60_000;

export interface RetryParts extends CallParts {
  readonly modes: TurnModes;
  readonly retryPause: RetryPause;
  /** The first pause; each further one is twice as long. */
  readonly retryDelayMs: number;
}

export async function callWithRetries(
  parts: RetryParts,
  call: ModelCall,
  show: boolean,
): Promise<ModelAnswer> {
  const { output, retryPause } = parts;
  let answer = await callModel(parts, call, show);
  let attempt = 0;
  const end = (success: boolean, finalError?: string): void => {
    if (attempt === 0) return;
    output.write({
      type: "auto_retry_end",
      success,
      attempt,
      ...(finalError === undefined ? {} : { finalError }),
    });
  };
  while (answer.stop === "error") {
    const delayMs = pauseBefore(parts, answer, attempt + 1);
    if (delayMs === null) {
      end(false, answer.error);
      return answer;
    }
    attempt++;
    output.write({
      type: "auto_retry_start",
      attempt,
      maxAttempts,
      delayMs,
      errorMessage: answer.error ?? "the model failed",
      time: new Date().toISOString(),
    });
    const how = await retryPause.wait(delayMs, call.signal);
    if (how !== "over") {
      end(false, how === "aborted" ? "aborted" : answer.error);
      // The partial answer has been withdrawn; only the failure is left of it.
      return how === "aborted"
        ? { ...answer, content: [], stop: "aborted", error: cancelled }
        : { ...answer, content: [] };
    }
    answer = await callModel(parts, call, show);
  }
  end(answer.stop !== "aborted", answer.stop === "aborted" ? "aborted" : undefined);
  return answer;
}

/** Null: it is not tried again. */
function pauseBefore(
  { modes, retryDelayMs }: RetryParts,
  { failure }: ModelAnswer,
  attempt: number,
): number | null {
  if (!modes.autoRetry || failure?.kind !== "passing" || attempt > maxAttempts) return null;
  const { afterMs } = failure;
  if (afterMs !== undefined) return afterMs <= longestPause ? afterMs : null;
  // Jitter, so that many workers that failed together do not come back together.
  const jitter = 0.75 + Math.random() / 2;
  return Math.round(Math.min(longestPause, retryDelayMs * 2 ** (attempt - 1) * jitter));
}

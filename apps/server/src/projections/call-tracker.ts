// Follows the model calls of a session: which one runs, and how it ended. A call that was cut has no final usage, so it is
// estimated from what was sent and streamed, and a call whose worker was killed is charged with that estimate. Workers that
// announce no calls are followed by their steps and text.
import {
  type CallStartEvent,
  estimateCut,
  type Frame,
  noTokens,
  noUsage,
  type UsageEvent,
  type UsageSoFarEvent,
} from "@patchbay/protocol";

/** The usage of one call that is to be charged. */
export interface Charge {
  /** The number of the usage frame. */
  seq: number;
  /** As it is charged: completed by an estimate where the call was cut. */
  usage: UsageEvent;
  /** As the worker reported it. */
  reported: UsageEvent;
}

/** A call that runs, or that a step is about to make. */
interface OpenCall {
  /** Null: the worker does not announce its calls. */
  start: CallStartEvent | null;
  soFar: UsageSoFarEvent | null;
  /** The provider has answered. */
  isAnswered: boolean;
  streamedBytes: number;
}

const newCall = (start: CallStartEvent | null): OpenCall => ({
  start,
  soFar: null,
  isAnswered: false,
  streamedBytes: 0,
});

export class CallTracker {
  #open: OpenCall | null = null;
  /** A usage frame that does not tell how its call ended: the next frames do. */
  #held: { seq: number; usage: UsageEvent; call: OpenCall | null } | null = null;

  /** Text, thinking or arguments of the model were streamed. */
  streamed(bytes: number): void {
    if (bytes === 0) return;
    this.#open ??= newCall(null);
    this.#open.isAnswered = true;
    this.#open.streamedBytes += bytes;
  }

  /** Returns the calls that this frame shows to be over. */
  frame(frame: Frame, seq: number): Charge[] {
    switch (frame.type) {
      case "call_start":
        this.#open = newCall(frame);
        return this.#release("whole");
      case "call_permit_request":
        this.#open = null; // the worker announces its call when it has a permit; without one, there is no call
        return this.#release("whole");
      case "turn_start":
        this.#open = newCall(null);
        return this.#release("whole");
      case "assistant_start":
        this.#open ??= newCall(null);
        this.#open.isAnswered = true;
        return this.#release("whole");
      case "usage_so_far":
        this.#open ??= newCall(null);
        this.#open.isAnswered = true;
        this.#open.soFar = frame;
        return [];
      case "usage":
        return [...this.#release("whole"), ...this.#usage(frame, seq)];
      case "call_end":
        this.#open = null;
        return [];
      case "tool_call":
      case "done":
      case "compact_done":
        return this.#release("whole");
      case "user_message":
        return frame.steering === true ? [] : this.#release("whole");
      case "auto_retry_start":
        return this.#release("cut");
      case "turn_end":
        return this.#release(frame.stop === "aborted" || frame.stop === "error" ? "cut" : "whole");
      case "worker":
        this.#open = null; // `ended` has charged it, and a new worker has no call of an earlier one
        return this.#release("cut");
      default:
        return [];
    }
  }

  /**
   * The call that this frame ended without a usage frame, as a usage frame of the server's own; null: there is none. zot reports no
   * usage of a call that was stopped before the provider answered.
   */
  unreported(frame: Frame): UsageEvent | null {
    if (frame.type !== "turn_end") return null;
    const call = this.#open;
    this.#open = null;
    if (frame.stop !== "aborted" || call === null || call.start !== null || call.isAnswered) return null;
    return usageOfOpen(call);
  }

  /** The worker has ended: returns the usage of the call that was running, for the log, and what was held. */
  ended(): { usage: UsageEvent | null; charges: Charge[] } {
    const charges = this.#release("cut");
    const call = this.#open;
    this.#open = null;
    return { usage: call === null ? null : { ...usageOfOpen(call), purpose: "interrupted" }, charges };
  }

  #usage(usage: UsageEvent, seq: number): Charge[] {
    const call = this.#open;
    this.#open = null;
    if (usage.ended === undefined && usage.incomplete !== true && usage.purpose === undefined) {
      this.#held = { seq, usage, call };
      return [];
    }
    if (usage.ended === "cut") return [{ seq, usage: completed(usage, call), reported: usage }];
    const charged = usage.ended === "unanswered" && usage.bounds === undefined ? withBounds(usage) : usage;
    return [{ seq, usage: charged, reported: usage }];
  }

  #release(ended: "whole" | "cut"): Charge[] {
    if (this.#held === null) return [];
    const { seq, usage, call } = this.#held;
    this.#held = null;
    const counted = usage.input + usage.output + usage.cache_read + usage.cache_write;
    // Usage without any tokens was not counted: zot reports it for streams that were cut, and for servers that count nothing.
    const isCounted = counted > 0 || usage.cost_usd > 0 || usage.costs_nothing === true;
    if (ended === "whole" && (isCounted || call === null || !call.isAnswered))
      return [{ seq, usage, reported: usage }];
    return [{ seq, usage: completed(usage, call), reported: usage }];
  }
}

/** The usage of a cut call, completed by what was streamed. The bounds of the worker are better: it knows its request. */
function completed(usage: UsageEvent, call: OpenCall | null): UsageEvent {
  if (usage.bounds !== undefined || usage.costs_nothing === true) return usage;
  const streamedBytes = call?.streamedBytes ?? 0;
  const { tokens, bounds } = estimateCut({ soFar: usage, streamedBytes });
  const { cost_usd, unpriced: _unpriced, ...rest } = usage;
  return {
    ...rest,
    ...tokens,
    // The price of the tokens so far is the least that the call cost.
    ...{ cost_usd: 0, unpriced: 1, low_usd: cost_usd },
    ...{ ended: "cut", bounds, ...(isRequestCounted(usage) ? {} : { incomplete: true }) },
  };
}

function usageOfOpen({ start, soFar, isAnswered, streamedBytes }: OpenCall): UsageEvent {
  const whose =
    start === null
      ? {}
      : {
          provider: start.provider,
          model: start.model,
          ...(start.costs_nothing === true ? { costs_nothing: true } : {}),
        };
  const counted = soFar ?? undefined;
  const { tokens, bounds } = estimateCut({
    ...(start === null ? {} : { sent: start.sent, maxOutput: start.max_output }),
    soFar: counted,
    streamedBytes,
  });
  const longWrites = soFar?.cache_write_1h === undefined ? {} : { cache_write_1h: soFar.cache_write_1h };
  if (!isAnswered)
    return withBounds({ type: "usage", ...noUsage, ...whose, ended: "unanswered" }, bounds.high);
  // What an unknown agent sent cannot be estimated.
  const isEstimate = start !== null || (counted !== undefined && isRequestCounted(counted));
  return {
    ...{ type: "usage", ...tokens, ...longWrites, cost_usd: 0, ...whose, ended: "cut", bounds },
    ...(start?.costs_nothing === true ? {} : { unpriced: 1 }),
    ...(isEstimate ? {} : { incomplete: true }),
  };
}

/** A call that no provider answered used nothing, or as much as any. */
const withBounds = (usage: UsageEvent, high = estimateCut({ streamedBytes: 0 }).bounds.high): UsageEvent => ({
  ...usage,
  bounds: { low: noTokens, high },
});

const isRequestCounted = ({
  input,
  cache_read,
  cache_write,
}: Pick<UsageEvent, "input" | "cache_read" | "cache_write">): boolean => input + cache_read + cache_write > 0;

// Permits for model calls: where a hard budget applies, the server decides before each call whether it may be made. Without
// `require_permits` no call waits, so a worker without a server, or without a budget, calls at once.
import type { CallPermitCommand } from "@patchbay/protocol";
import type { ModelCall } from "../../models/adapters/adapter.ts";
import { isPriced } from "../../models/catalog.ts";
import type { WorkerOutput } from "../../output/worker-output.ts";

/** `aborted`: the call's signal fired. */
type Permit = { is: "allowed" } | { is: "aborted" } | { is: "denied"; reason: string };

const gone: Permit = {
  is: "denied",
  reason: "the server that decides about model calls has closed the input, so this call was not made",
};

export class CallPermits {
  #required = false;
  readonly #output: WorkerOutput;
  readonly #open = new Map<string, (permit: Permit) => void>();
  #next = 1;
  #closed = false;

  constructor(output: WorkerOutput) {
    this.#output = output;
  }

  /** `input`: the tokens of its request, estimated. */
  request(call: ModelCall, input: number): Promise<Permit> | Permit {
    const { signal } = call;
    if (signal.aborted) return { is: "aborted" };
    if (!this.#required) return { is: "allowed" };
    if (this.#closed) return gone;
    const id = `permit_${this.#next++}`;
    return new Promise((resolve) => {
      const abort = (): void => settle({ is: "aborted" });
      const settle = (permit: Permit): void => {
        signal.removeEventListener("abort", abort);
        if (this.#open.delete(id)) resolve(permit);
      };
      this.#open.set(id, settle);
      signal.addEventListener("abort", abort, { once: true });
      this.#output.write({ type: "call_permit_request", id, ...describe(call, input) });
    });
  }

  /** An answer to a request that is not open is ignored: its call was aborted. */
  answer({ id, allowed, reason }: CallPermitCommand): void {
    this.#open.get(id)?.(
      allowed ? { is: "allowed" } : { is: "denied", reason: reason ?? "the server does not allow it" },
    );
  }

  /** Decided by the server. When calls no longer need permits, those that wait may begin. */
  require(required: boolean): void {
    this.#required = required;
    if (!required) for (const settle of [...this.#open.values()]) settle({ is: "allowed" });
  }

  /** The input has ended: no answer will come, and calls that need a permit are not made. */
  close(): void {
    this.#closed = true;
    for (const settle of [...this.#open.values()]) settle(gone);
  }
}

function describe({ model, maxTokens }: ModelCall, input: number) {
  const limits = [maxTokens ?? 0, model.maxOutput].filter((limit) => limit > 0);
  return {
    provider: model.provider,
    model: model.id,
    input: Math.min(mostTokens, input),
    ...(limits.length === 0 ? {} : { max_output: Math.min(mostTokens, ...limits) }),
    priced: model.provider === "demo" || isPriced(model),
  };
}

/** The protocol's bound. */
const mostTokens = 1_000_000_000;

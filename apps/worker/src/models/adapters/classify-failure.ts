// Whether a failed call is worth another attempt, needs a shorter context, or will fail again.
// The library knows how the providers word an overflow; the status decides the rest.
import { isContextOverflow } from "@earendil-works/pi-ai/utils/overflow";
import type { Failure } from "./adapter.ts";
import type { Witness } from "./http-outcome.ts";

type PiMessage = Parameters<typeof isContextOverflow>[0];

/** An empty account does not fill up while one waits, although providers say 429 to it. */
const outOfMoney = /insufficient_quota|quota exceeded|out of budget|billing|available balance/i;
/** After a good status: the model, not the wire, has refused. */
const refusal =
  /safety|content.?filter|prohibited|blocklist|recitation|refus|invalid_request|authentication|permission/i;

export function classify(message: PiMessage | null, raw: string, { status, retryAfterMs }: Witness): Failure {
  if (message !== null && isContextOverflow(message)) return { kind: "overflow" };
  if (status === 429) {
    return outOfMoney.test(raw) ? { kind: "final" } : { kind: "passing", afterMs: retryAfterMs };
  }
  // No status: nobody answered. 408: the provider waited too long for us.
  if (status === undefined || status === 408 || status >= 500)
    return { kind: "passing", afterMs: retryAfterMs };
  if (status >= 400) return { kind: "final" };
  // The stream broke off, or said something that nobody can read.
  return { kind: refusal.test(raw) ? "final" : "passing" };
}

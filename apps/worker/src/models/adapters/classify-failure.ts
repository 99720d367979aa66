// Whether a failed call is worth another attempt, needs a shorter context, or will fail again.
// The library recognises the overflow errors of the providers; the status decides the rest.
import { isContextOverflow } from "@earendil-works/pi-ai/utils/overflow";
import type { ModelFailure } from "./adapter.ts";
import type { HttpOutcome } from "./http-outcome.ts";

type PiMessage = Parameters<typeof isContextOverflow>[0];

/** Waiting does not refill an account, although providers answer 429. */
const outOfMoney = /insufficient_quota|quota exceeded|out of budget|billing|available balance/i;
/** After a good status: the model has refused, the transport worked. */
const refusal =
  /safety|content.?filter|prohibited|blocklist|recitation|refus|invalid_request|authentication|permission/i;

export function classifyFailure(
  message: PiMessage | null,
  raw: string,
  { status, retryAfterMs }: HttpOutcome,
): ModelFailure {
  if (message !== null && isContextOverflow(message)) return { kind: "overflow" };
  if (status === 429) {
    return outOfMoney.test(raw) ? { kind: "final" } : { kind: "passing", afterMs: retryAfterMs };
  }
  // No status: no response. 408: the provider waited too long for the request.
  if (status === undefined || status === 408 || status >= 500)
    return { kind: "passing", afterMs: retryAfterMs };
  if (status >= 400) return { kind: "final" };
  // The stream broke off, or was unreadable.
  return { kind: refusal.test(raw) ? "final" : "passing" };
}

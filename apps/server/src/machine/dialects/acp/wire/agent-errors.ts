// Converts an agent's stop reasons and errors to those of our protocol.
import type { StopReason } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";

export function stopOf(reason: StopReason): "end" | "length" | "aborted" {
  if (reason === "cancelled") return "aborted";
  return reason === "max_tokens" ? "length" : "end";
}

/** The error message for a stop reason that is a failure, else undefined. */
export function problemOf(reason: StopReason): string | undefined {
  if (reason === "refusal") return "The agent refused to continue.";
  return reason === "max_turn_requests" ? "The agent reached its limit of model calls per turn." : undefined;
}

/** Where agents put the reason: gemini and claude in `details`, older codex adapters in `message`, goose as a string. */
const WithReason = z.looseObject({
  data: z.union([
    z.pipe(
      z.looseObject({ details: z.string() }),
      z.transform(({ details }) => details),
    ),
    z.pipe(
      z.looseObject({ message: z.string() }),
      z.transform(({ message }) => message),
    ),
    z.string(),
  ]),
});

/** Adds the reason of an agent's error, if it has one: it says more than its message, which may be "Internal error". */
export function errorText(error: unknown): string {
  const reason = WithReason.safeParse(error).data?.data;
  const message = error instanceof Error ? error.message : String(error);
  return reason === undefined || reason === "" || reason === message ? message : `${message}: ${reason}`;
}

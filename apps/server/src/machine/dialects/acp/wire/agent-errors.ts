// How an agent's turn ended and what went wrong, in our words.
import type { AuthMethod, StopReason } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";

export function stopOf(reason: StopReason): "end" | "length" | "aborted" {
  if (reason === "cancelled") return "aborted";
  return reason === "max_tokens" ? "length" : "end";
}

/** Ends that are no good ones; undefined for those that are. */
export function problemOf(reason: StopReason): string | undefined {
  if (reason === "refusal") return "The agent refused to go on.";
  return reason === "max_turn_requests"
    ? "The agent reached its own limit of model calls for one turn."
    : undefined;
}

const authRequired = -32000;
const Coded = z.looseObject({ code: z.number() });
const Detailed = z.looseObject({ data: z.looseObject({ details: z.string() }) });

/** An agent's error says more in its details than in its message, if it has some. */
export function words(error: unknown): string {
  const details = Detailed.safeParse(error).data?.data.details;
  const message = error instanceof Error ? error.message : String(error);
  return details === undefined || details === message ? message : `${message}: ${details}`;
}

/** The error, or what to do when it is that nobody has logged in. */
export function withLoginHint(error: unknown, methods: readonly AuthMethod[] = []): Error {
  if (Coded.safeParse(error).data?.code !== authRequired)
    return error instanceof Error ? error : new Error(String(error));
  const ways = methods.map(({ name }) => name).join(", ");
  return new Error(
    `The agent wants you to log in. Start it once in a terminal${ways === "" ? "" : ` (${ways})`}, or give it its key.`,
  );
}

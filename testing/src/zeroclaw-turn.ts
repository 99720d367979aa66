// What every turn of the scripted zeroclaw daemon has to do with: its context, its outcome, and what the daemon does in several of them.
import { randomUUID } from "node:crypto";

/** A person's decision about a call, or what became of it without one. */
export interface Approval {
  decision: string;
  /** With `reject_with_edit`: the result that the model gets. */
  replacement: string;
}

export interface Outcome {
  outcome: "completed" | "cancelled" | "failed";
  content: string;
}

export interface TurnContext {
  /** Sends an update to the peer that sent the prompt. */
  update(type: string, fields: object): void;
  /** Asks the peer that opened the session last. Resolves with the decision, `expired` or `cancelled`. */
  ask(seconds: number): Promise<Approval>;
  /** Asks it to fill in a form; undefined: it does not do that. */
  elicit(form: object): Promise<unknown> | undefined;
  /** Writes to the daemon's log. */
  logged(event: object): void;
  /** A model call ended: records its cost and reports its size. */
  called(tokens: number): void;
  /** Resolves when a peer has requested the costs. */
  costsAsked(): Promise<unknown>;
  cancelled: Promise<unknown>;
  /** Resolves when a peer waits for the end of the turn to close the session. */
  closing: Promise<unknown>;
  /** The prompts of the session so far. */
  history: readonly string[];
}

/** The model cannot be called: the turn's end names no cause, the log does. */
export function modelFailure({ logged }: Pick<TurnContext, "logged">): Outcome {
  const content =
    "turn failed: Agent turn failed: All model providers/models failed after 0 failure event(s). Events:";
  logged({ severity_text: "WARN", attributes: { error: "401 Unauthorized: wrong key" } });
  logged({ severity_text: "ERROR", attributes: { error: content } });
  return { outcome: "failed", content };
}

/** Whether the turn was cancelled meanwhile. */
export const isCancelled = (cancelled: Promise<unknown>): Promise<boolean> =>
  Promise.race([cancelled.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);

/** The call and its result, which the daemon reports after the decision. */
export function playApproved(
  { decision, replacement }: Approval,
  update: TurnContext["update"],
  output = decision,
): void {
  const tool = { tool_call_id: randomUUID(), name: "shell" };
  const isAllowed = decision.startsWith("allow");
  const results: Record<string, string> = { expired: expiredText, reject_with_edit: replacement };
  update("tool_call", {
    ...tool,
    raw_input: { ...(isAllowed ? { approved: true } : {}), command: "make deploy" },
  });
  update("tool_result", {
    ...tool,
    raw_output: isAllowed ? output : (results[decision] ?? "Denied by user."),
  });
}

const expiredText = "Error: the approval expired. This is not a user's decision.";

// The events of a turn that extensions subscribe to, and those they may intercept. They are asked one after the other,
// in order of precedence; the first refusal wins, and changes add up. As in zot, an extension that does not answer
// in time, or ends, counts as agreeing; that it did not answer is reported.
import type { ContentBlock, ToolCallBlock } from "@patchbay/protocol";
import type { HostEvent } from "@patchbay/protocol/extension";
import type { Admission } from "../features/contributions.ts";
import type { AnswerOf } from "./process/calls.ts";
import type { Registrations } from "./registrations.ts";

type Verdict = AnswerOf<"event_intercept_response">;
type Payload = Omit<HostEvent, "type">;

export interface InterceptParts {
  /** The active ones, in order of precedence. */
  entries(): readonly Registrations[];
  onProblem(entry: Registrations, event: string, error: string): void;
}

export class Interceptions {
  readonly #parts: InterceptParts;

  constructor(parts: InterceptParts) {
    this.#parts = parts;
  }

  publish(payload: Payload): void {
    for (const entry of this.#parts.entries()) {
      if (entry.events.has(payload.event)) entry.extension.send({ type: "event", ...payload });
    }
  }

  async admitTool(call: ToolCallBlock, signal: AbortSignal): Promise<Admission> {
    let args = call.args;
    for (const entry of this.#interested("tool_call")) {
      const payload = { event: "tool_call", tool_id: call.id, tool_name: call.name, tool_args: args };
      const verdict = await this.#ask(entry, payload, signal);
      if (verdict?.block === true) {
        return {
          ok: false,
          reason: verdict.reason || `tool call refused by extension ${entry.extension.name}`,
        };
      }
      if (verdict?.modified_args !== undefined && verdict.modified_args !== null)
        args = verdict.modified_args;
    }
    return { ok: true, args };
  }

  /** The reason for which an extension refuses the step. */
  async refuseStep(step: number, signal: AbortSignal): Promise<string | undefined> {
    this.publish({ event: "turn_start", step });
    for (const entry of this.#interested("turn_start")) {
      const verdict = await this.#ask(entry, { event: "turn_start", step }, signal);
      if (verdict?.block !== true) continue;
      const reason = verdict.reason || `turn refused by extension ${entry.extension.name}`;
      this.publish({ event: "turn_end", stop: "error", error: reason });
      return reason;
    }
    return undefined;
  }

  /** The content of an answer to show; null for nothing. An answer without text is not sent to extensions. */
  async show(content: ContentBlock[], signal: AbortSignal): Promise<ContentBlock[] | null> {
    let shown = content;
    for (const entry of this.#interested("assistant_message")) {
      const text = textOf(shown);
      if (text === null) break;
      const verdict = await this.#ask(entry, { event: "assistant_message", text }, signal);
      if (verdict?.block === true) return null;
      if (verdict?.replace_text) shown = withText(shown, verdict.replace_text);
    }
    const text = textOf(shown);
    if (text !== null) this.publish({ event: "assistant_message", text });
    return shown;
  }

  #interested(event: string): Registrations[] {
    return this.#parts.entries().filter((entry) => entry.intercepts.has(event));
  }

  /** Null: it did not answer. */
  async #ask(entry: Registrations, payload: Payload, signal: AbortSignal): Promise<Verdict | null> {
    const { extension } = entry;
    const timeoutMs = extension.timeout("intercept_ms");
    const outcome = await extension.ask("event_intercept_response", { timeoutMs, signal }, (id) => ({
      type: "event_intercept",
      id,
      ...payload,
    }));
    if (outcome.kind === "answer") return outcome.frame;
    const what = payload.tool_name === undefined ? payload.event : `${payload.event} ${payload.tool_name}`;
    if (outcome.kind === "timeout") {
      const problem = `it did not answer within ${timeoutMs / 1_000} s whether ${what} is allowed: it was allowed`;
      this.#parts.onProblem(entry, payload.event, problem);
    }
    if (outcome.kind === "gone") {
      this.#parts.onProblem(entry, payload.event, `${outcome.why}: ${what} was allowed`);
    }
    return null;
  }
}

function textOf(content: readonly ContentBlock[]): string | null {
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return texts.length === 0 ? null : texts.join("\n");
}

/** Replaces all text blocks by one, in the place of the first. */
function withText(content: readonly ContentBlock[], text: string): ContentBlock[] {
  const first = content.findIndex((block) => block.type === "text");
  return content.flatMap((block, at): ContentBlock[] => {
    if (block.type !== "text") return [block];
    return at === first ? [{ type: "text", text }] : [];
  });
}

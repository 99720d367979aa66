// Converts turn events to OpenTelemetry spans by the semantic conventions for generative AI (1.41): a trace per turn (`invoke_agent`)
// with its model calls (`chat`) and tools (`execute_tool`). Spans contain no prompts, answers or outputs.
import { randomBytes } from "node:crypto";
import { isUnpriced } from "@patchbay/protocol";
import type { TurnEvent } from "../projections/turn-event.ts";

type Value = string | number | boolean | readonly string[];

export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: "internal" | "client";
  started: number;
  ended: number;
  attributes: Record<string, Value>;
  error?: string | undefined;
}

interface OpenTurn {
  traceId: string;
  spanId: string;
}

/** Keeps the ids of running turns, at most one per session. */
export class Spans {
  readonly #turns = new Map<string, OpenTurn>();

  /** Returns the span that ends with this event; null: none. */
  of(event: TurnEvent): Span | null {
    switch (event.type) {
      case "turn_started":
        this.#turns.set(event.session.id, { traceId: id(16), spanId: id(8) });
        return null;
      case "call":
        return { ...this.#childIds(event.session.id), ...callSpan(event) };
      case "tool":
        return { ...this.#childIds(event.session.id), ...toolSpan(event) };
      case "turn_ended": {
        const ids = this.#turns.get(event.session.id) ?? { traceId: id(16), spanId: id(8) };
        this.#turns.delete(event.session.id);
        return { ...ids, ...turnSpan(event) };
      }
      case "question":
        return null;
    }
  }

  /** A span outside a turn (a compaction that a person requested) has its own trace. */
  #childIds(session: string): Pick<Span, "traceId" | "spanId" | "parentSpanId"> {
    const turn = this.#turns.get(session);
    if (turn === undefined) return { traceId: id(16), spanId: id(8) };
    return { traceId: turn.traceId, spanId: id(8), parentSpanId: turn.spanId };
  }
}

const id = (bytes: number): string => randomBytes(bytes).toString("hex");

type Body = Omit<Span, "traceId" | "spanId" | "parentSpanId">;

function callSpan({ session, entry, purpose, started, ended }: Extract<TurnEvent, { type: "call" }>): Body {
  const model = entry.model || session.model;
  return {
    name: `chat ${model}`.trim(),
    kind: "client",
    started,
    ended,
    attributes: {
      "gen_ai.operation.name": "chat",
      ...provider(entry.provider),
      "gen_ai.request.model": model,
      "gen_ai.response.model": model,
      "gen_ai.conversation.id": session.id,
      // By the conventions, input includes cached tokens.
      "gen_ai.usage.input_tokens": entry.input + entry.cache_read + entry.cache_write,
      "gen_ai.usage.output_tokens": entry.output,
      "gen_ai.usage.cache_read.input_tokens": entry.cache_read,
      "gen_ai.usage.cache_creation.input_tokens": entry.cache_write,
      ...(entry.thinking > 0 ? { "gen_ai.usage.reasoning.output_tokens": entry.thinking } : {}),
      ...(isUnpriced(entry.price) ? {} : { "patchbay.cost_usd": entry.cost_nanos / 1e9 }),
      "patchbay.price": entry.price,
      "patchbay.turn": entry.turn,
      ...(purpose === undefined ? {} : { "patchbay.purpose": purpose }),
    },
  };
}

const toolSpan = ({
  session,
  id,
  name,
  started,
  ended,
  failed,
}: Extract<TurnEvent, { type: "tool" }>): Body => ({
  name: `execute_tool ${name}`,
  kind: "internal",
  started,
  ended,
  attributes: {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.id": id,
    "gen_ai.tool.type": "function",
    "gen_ai.conversation.id": session.id,
    ...(failed ? { "error.type": "tool_error" } : {}),
  },
  error: failed ? "The tool failed." : undefined,
});

function turnSpan(event: Extract<TurnEvent, { type: "turn_ended" }>): Body {
  const { session, turn, started, ended, outcome, error, calls, input, output, cost_nanos, unpriced } = event;
  return {
    name: `invoke_agent ${session.worker}`,
    kind: "internal",
    started,
    ended,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": session.worker,
      ...provider(session.provider),
      "gen_ai.request.model": session.model,
      "gen_ai.conversation.id": session.id,
      "gen_ai.usage.input_tokens": input,
      "gen_ai.usage.output_tokens": output,
      "patchbay.session.name": session.name,
      "patchbay.directory": session.cwd,
      "patchbay.turn": turn,
      "patchbay.calls": calls,
      "patchbay.outcome": outcome,
      ...(unpriced === calls && calls > 0 ? {} : { "patchbay.cost_usd": cost_nanos / 1e9 }),
      ...(unpriced > 0 ? { "patchbay.unpriced_calls": unpriced } : {}),
      ...(outcome === "failed" ? { "error.type": "turn_failed" } : {}),
    },
    error: outcome === "failed" ? error : undefined,
  };
}

/** The names of the conventions, where they differ. */
const providers: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  "google-vertex": "gcp.vertex_ai",
  "amazon-bedrock": "aws.bedrock",
  mistral: "mistral_ai",
  xai: "x_ai",
  "azure-openai": "azure.ai.openai",
};

const provider = (name: string): Record<string, Value> =>
  name === "" ? {} : { "gen_ai.provider.name": providers[name] ?? name };

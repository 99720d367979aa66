// What an observer of a worker concludes from each zot event, after colibri's table
// (docs/ZOT-RPC-TRANSCRIPT.md there). Both `tool_use_start` and `tool_call` mean that a tool starts;
// protocols/zot.md settles that both fire for one call, so the second is a confirmation, not a start.

export type Observed =
  | "message_start"
  | "message_update"
  | "message_end"
  | "turn_start"
  | "turn_end"
  | "tool_execution_start"
  | "tool_execution_update"
  | "tool_execution_end"
  | "agent_end"
  | "error";

const table: Readonly<Record<string, Observed>> = {
  user_message: "message_update",
  turn_start: "turn_start",
  assistant_start: "message_start",
  text_delta: "message_update",
  tool_use_start: "tool_execution_start",
  tool_use_args: "tool_execution_update",
  tool_use_end: "tool_execution_update",
  assistant_message: "message_end",
  tool_call: "tool_execution_start",
  tool_progress: "tool_execution_update",
  tool_result: "tool_execution_end",
  turn_end: "turn_end",
  error: "error",
  done: "agent_end",
};

/** The table alone: one event, without memory. `null`: the event changes nothing an observer sees. */
export function mapZotEvent(event: { type: string }): Observed | null {
  return Object.hasOwn(table, event.type) ? (table[event.type] ?? null) : null;
}

/** The table with memory: a tool call starts once, whichever of its two events comes first. */
export function createObserver(): (event: { type: string; id?: unknown }) => Observed | null {
  const started = new Set<unknown>();
  return (event) => {
    const observed = mapZotEvent(event);
    if (observed === "agent_end") started.clear();
    // Some models number their calls anew in every answer, so an id is free again after its result.
    if (observed === "tool_execution_end") started.delete(event.id);
    if (observed !== "tool_execution_start") return observed;
    if (started.has(event.id)) return null;
    started.add(event.id);
    return observed;
  };
}

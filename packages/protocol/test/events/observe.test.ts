// colibri's table of what an observer concludes from each zot event, row by row, and its open
// question settled: both of a tool call's events fire, and only the first is a start.
import { createObserver, mapZotEvent } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { fixtureLines } from "../fixture.ts";

const table: [type: string, observed: string | null][] = [
  ["response", null],
  ["user_message", "message_update"],
  ["turn_start", "turn_start"],
  ["assistant_start", "message_start"],
  ["tool_use_start", "tool_execution_start"],
  ["tool_use_args", "tool_execution_update"],
  ["tool_use_end", "tool_execution_update"],
  ["usage", null],
  ["assistant_message", "message_end"],
  ["tool_call", "tool_execution_start"],
  ["turn_end", "turn_end"],
  ["tool_progress", "tool_execution_update"],
  ["tool_result", "tool_execution_end"],
  ["text_delta", "message_update"],
  ["done", "agent_end"],
  ["error", "error"],
];

describe("observing", () => {
  it.each(table)("[P25] %s → %s", (type, observed) => {
    expect(mapZotEvent({ type })).toBe(observed);
    expect(createObserver()({ type, id: "a" })).toBe(observed);
  });

  it.each(["compact_done", "ext_notify", "unheard_of", "toString", "__proto__", ""])(
    "[P25] %s → nothing",
    (type) => {
      expect(mapZotEvent({ type })).toBeNull();
    },
  );

  it("[P26] a tool_call after tool_use_start is no second start", () => {
    const observe = createObserver();
    expect(observe({ type: "tool_use_start", id: "a" })).toBe("tool_execution_start");
    expect(observe({ type: "tool_call", id: "a" })).toBeNull();
    expect(observe({ type: "tool_call", id: "a" })).toBeNull();
  });

  it("[P26] a tool_call alone is the start, and each call has its own", () => {
    const observe = createObserver();
    expect(observe({ type: "tool_call", id: "a" })).toBe("tool_execution_start");
    expect(observe({ type: "tool_call", id: "b" })).toBe("tool_execution_start");
  });

  it("[P27] an id is free again after its result, and all are after done", () => {
    const observe = createObserver();
    observe({ type: "tool_use_start", id: "call_0" });
    observe({ type: "tool_use_start", id: "call_1" });
    observe({ type: "tool_result", id: "call_0" });
    expect(observe({ type: "tool_use_start", id: "call_0" })).toBe("tool_execution_start");
    expect(observe({ type: "tool_use_start", id: "call_1" })).toBeNull();
    observe({ type: "done" });
    expect(observe({ type: "tool_use_start", id: "call_1" })).toBe("tool_execution_start");
  });

  it("[P26] in a whole conversation every call starts once and ends once, unless it was aborted unheard", () => {
    const observe = createObserver();
    const seen = fixtureLines("zot-grammar").map((line) => observe(JSON.parse(line)));
    expect(seen.filter((state) => state === "tool_execution_start")).toHaveLength(4);
    expect(seen.filter((state) => state === "tool_execution_end")).toHaveLength(3);
    expect(seen.filter((state) => state === "agent_end")).toHaveLength(5);
  });

  it("[P25] colibri's first transcript, line by line", () => {
    const observe = createObserver();
    expect(fixtureLines("colibri-401").map((line) => observe(JSON.parse(line)))).toEqual([
      null,
      "message_update",
      "turn_start",
      "turn_end",
      "error",
      "agent_end",
    ]);
  });
});

// Extensions in a turn: their tools, what they are told of it, and where they may interfere.
import type { AnyFrame } from "@patchbay/testing/worker-client";
import { describe, expect, it } from "vitest";
import { dig, only, type Rig, runTool, shape } from "../rig.ts";
import { commandNames, startWith, trouble } from "./kit.ts";

const cityTool = `emit({ type: "register_tool", name: "city", description: "finds a city",
  schema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] } });`;

/** What the extension was told, as it says itself. */
const told = (frames: readonly AnyFrame[]): Record<string, unknown>[] =>
  only(frames, "ext_notify").map((frame) => JSON.parse(String(frame["message"])));

/** Asks it to say what it heard, after everything else that it was told. */
async function heard(rig: Rig): Promise<Record<string, unknown>[]> {
  const from = rig.worker.frames.length;
  await rig.worker.ask({ type: "run_command", name: "heard" });
  return told(rig.worker.frames.slice(from));
}
const listener = (subscription: string): string => `
  const all = [];
  hello();
  emit({ type: "subscribe", ${subscription} });
  emit({ type: "register_command", name: "heard" });
  for (const type of ["event", "tool_call"]) on(type, (frame) => all.push(frame));
  on("command_invoked", ({ id }) => {
    for (const frame of all) emit({ type: "notify", level: "info", message: JSON.stringify(frame) });
    emit({ type: "command_response", id, action: "noop" });
  });
`;

describe("tools", () => {
  it("[E20] a registered tool is offered to the model, called with its arguments, and its result goes back", async () => {
    await using rig = await startWith({
      atlas: `hello(); ${cityTool} emit({ type: "ready" });
        on("tool_call", ({ id, name, args }) => {
          emit({ type: "tool_progress", id, text: "looking" });
          emit({ type: "tool_result", id, content: [{ type: "text", text: name + ": " + args.q },
            { type: "image", mime_type: "image/png", data: "iVBORw0KGgo=" }] });
        });`,
    });
    const { frames, content, isError } = await runTool(rig, "city", { q: "rom" });
    expect(isError).toBe(false);
    expect(content).toEqual([
      { type: "text", text: "city: rom" },
      { type: "image", mime_type: "image/png", data: "iVBORw0KGgo=", bytes: 8 },
    ]);
    expect(only(frames, "tool_progress")).toMatchObject([{ text: "looking" }]);
    const offered = JSON.stringify(dig(rig.model.requests[0]?.body, "tools"));
    expect(offered).toContain('"city"');
    expect(offered).toContain("finds a city");
    expect(offered).toContain('"required":["q"]');
  });

  it("[E20] a tool that is registered later reaches the model with the next call", async () => {
    await using rig = await startWith({
      late: `hello(); emit({ type: "register_command", name: "grow" }); emit({ type: "ready" });
        on("command_invoked", ({ id }) => { ${cityTool} emit({ type: "command_response", id, action: "noop" }); });
        on("tool_call", ({ id }) => emit({ type: "tool_result", id, is_error: true, content: [] }));`,
    });
    rig.model.reply({ text: "none" });
    await rig.worker.prompt("first");
    expect(JSON.stringify(dig(rig.model.requests[0]?.body, "tools"))).not.toContain('"city"');
    await rig.worker.ask({ type: "run_command", name: "grow" });
    const { text, isError } = await runTool(rig, "city", { q: "x" });
    expect([text, isError]).toEqual(["(extension returned no content)", true]);
  });

  it("[E20] 60 s (here less) without a result are a failed result, and the extension is told", async () => {
    await using rig = await startWith({
      slow: {
        source: `hello(); ${cityTool} emit({ type: "ready" });
          on("tool_cancel", ({ id }) => emit({ type: "notify", message: "cancelled " + id }));`,
        manifest: { timeouts: { tool_ms: 50 } },
      },
    });
    const { text, isError } = await runTool(rig, "city", {});
    expect(isError).toBe(true);
    expect(text).toBe("extension slow/city failed: timeout waiting for slow/city: no answer within 0.05 s");
    await rig.worker.some((frame) => String(frame["message"]).startsWith("cancelled t"));
  });

  it("[E20] an abort ends the wait at once; an extension that dies fails its call, and its tools vanish", async () => {
    await using rig = await startWith({
      frail: `hello(); ${cityTool} emit({ type: "ready" });
        on("tool_call", ({ args }) => { emit({ type: "notify", message: "called" }); if (args.q === "die") process.exit(1); });`,
    });
    rig.model.reply({ toolCalls: [{ name: "city", args: { q: "wait" } }] });
    rig.worker.send({ type: "prompt", message: "go" });
    await rig.worker.next((frame) => frame["message"] === "called");
    await rig.worker.ask({ type: "abort" });
    const aborted = await rig.worker.next("tool_result");
    expect(dig(aborted, "content", 0, "text")).toBe("aborted");
    await rig.worker.next("done");
    const { text, isError } = await runTool(rig, "city", { q: "die" });
    expect([text, isError]).toEqual(["extension frail/city failed: frail ended before it answered", true]);
    await trouble(rig, "exit");
    rig.model.reply({ text: "gone" });
    await rig.worker.prompt("again");
    expect(JSON.stringify(dig(rig.model.requests.at(-1)?.body, "tools"))).not.toContain('"city"');
  });

  it("[E20] built-in tools win over one of the same name; a schema that is none is refused in words", async () => {
    await using rig = await startWith({
      rival: `hello();
        emit({ type: "register_tool", name: "read", description: "not the real one" });
        emit({ type: "register_tool", name: "bad name", schema: {} });
        emit({ type: "register_tool", name: "list", schema: { type: "array" } });
        emit({ type: "ready" });`,
    });
    rig.model.reply({ text: "ok" });
    await rig.worker.prompt("hi");
    await trouble(rig, "frame", /^register_tool: name: only letters/);
    await trouble(rig, "frame", /^register_tool: schema/);
    const offered = JSON.stringify(dig(rig.model.requests[0]?.body, "tools"));
    expect(offered).toContain('"read"');
    expect(offered).not.toContain("not the real one");
  });
});

describe("events", () => {
  it("[E21] session_start, turn_start, assistant_message, tool_call and turn_end come in order, with their fields", async () => {
    await using rig = await startWith({
      ear: listener(`events: ["session_start", "turn_start", "turn_end", "tool_call", "assistant_message"]`),
    });
    rig.model.reply(
      { text: "let me see", toolCalls: [{ id: "t1", name: "bash", args: { command: "true" } }] },
      { text: "done" },
    );
    await rig.worker.prompt("go");
    expect(await heard(rig)).toEqual([
      { type: "event", event: "session_start" },
      { type: "event", event: "turn_start", step: 1 },
      { type: "event", event: "assistant_message", text: "let me see" },
      { type: "event", event: "tool_call", tool_id: "t1", tool_name: "bash", tool_args: { command: "true" } },
      { type: "event", event: "turn_end", stop: "tool_use" },
      { type: "event", event: "turn_start", step: 2 },
      { type: "event", event: "assistant_message", text: "done" },
      { type: "event", event: "turn_end", stop: "end" },
    ]);
  });

  it("[E21] only what was subscribed to; one that comes later hears of the session too", async () => {
    await using rig = await startWith({ ear: listener(`events: ["session_start", "turn_end", "nonsense"]`) });
    rig.model.reply({ status: 401 });
    await rig.worker.prompt("go");
    expect((await heard(rig)).map(({ event }) => event)).toEqual(["session_start", "turn_end"]);
    await rig.worker.ask({ type: "reload_extensions" });
    expect((await heard(rig)).map(({ event }) => event)).toEqual(["session_start"]);
  });
});

const guard = (event: string, response: string): string => `
  hello();
  emit({ type: "subscribe", intercept: ["${event}"] });
  emit({ type: "ready" });
  on("event_intercept", (frame) => emit({ type: "event_intercept_response", id: frame.id, ${response} }));
`;

describe("interceptions", () => {
  it("[E22] tool_call, block: the reason is the result, and nothing runs", async () => {
    await using rig = await startWith({
      guard: guard(
        "tool_call",
        `block: /rm/.test(frame.tool_args.command), reason: "not here: " + frame.tool_name`,
      ),
    });
    const refused = await runTool(rig, "bash", { command: "rm -rf x" });
    expect([refused.text, refused.isError]).toEqual(["not here: bash", true]);
    const allowed = await runTool(rig, "bash", { command: "echo fine" });
    expect(allowed.text).toContain("fine");
  });

  it("[E22] tool_call, block without a reason: tool call refused by extension guard", async () => {
    await using rig = await startWith({ guard: guard("tool_call", `block: true`) });
    expect((await runTool(rig, "bash", { command: "true" })).text).toBe(
      "tool call refused by extension guard",
    );
  });

  it("[E22] tool_call, modified_args: they chain, run, and leave the transcript as the model wrote it", async () => {
    await using rig = await startWith({
      a: guard("tool_call", `modified_args: { command: frame.tool_args.command + " one" }`),
      b: guard("tool_call", `modified_args: { command: frame.tool_args.command + " two" }`),
    });
    const { text, frames } = await runTool(rig, "bash", { command: "echo" });
    expect(text).toContain("$ echo one two");
    expect(dig(only(frames, "tool_call")[0], "args", "command")).toBe("echo");
  });

  it("[E22] turn_start, block ends the prompt: turn_start, turn_end{stop:error}, done; no error", async () => {
    await using rig = await startWith({ guard: guard("turn_start", `block: true, reason: "after hours"`) });
    const frames = await rig.worker.prompt("hi");
    const turn = shape(frames).filter((type) => type !== "commands_changed");
    expect(turn).toEqual(["response", "user_message", "turn_start", "turn_end(error)", "done"]);
    expect(only(frames, "turn_end")[0]?.["error"]).toBe("after hours");
    expect(rig.model.requests).toEqual([]);
  });

  it("[E22] assistant_message, replace_text changes what is shown and not what the model remembers", async () => {
    await using rig = await startWith({
      polite: guard("assistant_message", `replace_text: frame.text.toUpperCase()`),
    });
    rig.model.reply({ text: "hello" }, { text: "again" });
    const frames = await rig.worker.prompt("hi");
    expect(dig(only(frames, "assistant_message")[0], "content", 0, "text")).toBe("HELLO");
    await rig.worker.prompt("and?");
    expect(JSON.stringify(rig.model.requests[1]?.body)).toContain('"hello"');
  });

  it("[E22] assistant_message, block hides the message, not its tool calls", async () => {
    await using rig = await startWith({ quiet: guard("assistant_message", `block: true`) });
    const { frames, isError } = await runTool(rig, "bash", { command: "true" });
    expect(isError).toBe(false);
    // The first message has no words, so nobody was asked about it.
    expect(only(frames, "assistant_message")).toHaveLength(1);
  });

  it("[E23] one that does not answer in 5 s (here less) is taken as agreeing, and that is said", async () => {
    const source = `hello(); emit({ type: "subscribe", intercept: ["tool_call"] }); emit({ type: "ready" });`;
    await using rig = await startWith({ mute: { source, manifest: { timeouts: { intercept_ms: 60 } } } });
    expect((await runTool(rig, "bash", { command: "echo ran" })).text).toContain("ran");
    expect((await trouble(rig, "tool_call"))["error"]).toBe(
      "it did not answer within 0.06 s whether tool_call bash is allowed: it was allowed",
    );
  });

  it("[E23] one that dies while it is asked is taken as agreeing, and that is said", async () => {
    await using rig = await startWith({
      frail: `hello(); emit({ type: "subscribe", intercept: ["tool_call"] }); emit({ type: "ready" });
        on("event_intercept", () => process.exit(7));`,
    });
    expect((await runTool(rig, "bash", { command: "echo ran" })).text).toContain("ran");
    expect((await trouble(rig, "tool_call"))["error"]).toContain("tool_call bash was allowed");
    await trouble(rig, "exit");
    expect((await runTool(rig, "bash", { command: "echo on" })).text).toContain("on");
  });

  it("[E23] an abort does not wait for an interception", async () => {
    await using rig = await startWith({
      mute: `hello(); emit({ type: "subscribe", intercept: ["turn_start"] }); emit({ type: "ready" });
        on("event_intercept", () => emit({ type: "notify", message: "asked" }));`,
    });
    await commandNames(rig);
    rig.worker.send({ type: "prompt", message: "hi" });
    await rig.worker.next((frame) => frame["message"] === "asked");
    const began = performance.now();
    await rig.worker.ask({ type: "abort" });
    await rig.worker.next("done");
    expect(performance.now() - began).toBeLessThan(4_000);
  });

  it("[E23] an event that cannot be intercepted is refused in words", async () => {
    await using rig = await startWith({
      eager: `hello(); emit({ type: "subscribe", intercept: ["turn_end"] }); emit({ type: "ready" });`,
    });
    await commandNames(rig);
    expect((await trouble(rig, "subscribe"))["error"]).toMatch(
      /^turn_end cannot be intercepted; these can: tool_call/,
    );
  });
});

// A prompt's turn: the grammar of its frames, queueing and limits.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyTranscript, foldTranscript, readFrame } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { dig, only, shape, startRig } from "../rig.ts";

describe("the grammar of a turn", () => {
  it("[W14] an answer: started, user_message, turn_start, assistant_start, deltas, usage, assistant_message, turn_end, done", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: ["Hel", "lo"] });
    const frames = await rig.worker.prompt("hi");
    expect(shape(frames)).toEqual([
      "response",
      "user_message",
      "turn_start",
      "assistant_start",
      "text_delta",
      "usage",
      "assistant_message",
      "turn_end(end)",
      "done",
    ]);
    expect(only(frames, "text_delta").map((frame) => frame["delta"])).toEqual(["Hel", "lo"]);
    expect(frames[0]).toMatchObject({ command: "prompt", data: { started: true } });
    expect(frames.at(-1)).toMatchObject({ duration_ms: expect.any(Number) });
    const deltas = rig.worker.lines.filter((line) => line.includes("text_delta"));
    expect(deltas[0]).toBe('{"type":"text_delta","delta":"Hel"}');
  });

  it("[W15] tools run after turn_end{tool_use}, one by one in order, and their results go back in one message", async () => {
    await using rig = await startRig();
    await writeFile(join(rig.directory, "a.txt"), "alpha\n");
    rig.model.reply(
      {
        thinking: "two things",
        text: "Looking.",
        toolCalls: [
          { name: "read", args: { path: "a.txt" } },
          { name: "bash", args: { command: "echo beta" } },
        ],
      },
      { text: "Done." },
    );
    const frames = await rig.worker.prompt("look");
    expect(shape(frames)).toEqual(
      `response user_message turn_start assistant_start thinking_delta text_delta
       tool_use_start tool_use_args tool_use_end tool_use_start tool_use_args tool_use_end
       usage assistant_message tool_call tool_call turn_end(tool_use) tool_result tool_progress tool_result
       turn_start assistant_start text_delta usage assistant_message turn_end(end) done`.split(/\s+/),
    );
    const ids = only(frames, "tool_call").map((frame) => frame["id"]);
    expect(only(frames, "tool_use_start").map((frame) => frame["id"])).toEqual(ids);
    expect(only(frames, "tool_result").map((frame) => frame["id"])).toEqual(ids);
    expect(only(frames, "turn_start").map((frame) => frame["step"])).toEqual([1, 2]);
    expect(only(frames, "assistant_message")[0]).toMatchObject({
      content: [
        { type: "thinking", text: "two things", duration_ms: expect.any(Number) },
        { type: "text", text: "Looking." },
        { type: "tool_call", name: "read", args: { path: "a.txt" } },
        { type: "tool_call", name: "bash" },
      ],
    });
    const args = only(frames, "tool_use_args").filter((frame) => frame["id"] === ids[0]);
    expect(JSON.parse(args.map((frame) => frame["delta"]).join(""))).toEqual({ path: "a.txt" });
    expect(dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages")).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      {
        role: "tool",
        content: [
          { type: "tool_result", call_id: ids[0] },
          { type: "tool_result", call_id: ids[1] },
        ],
      },
      { role: "assistant" },
    ]);
    expect(rig.model.requests[1]?.toolResults).toEqual(["alpha\n", expect.stringContaining("beta")]);
  });

  it("[W14] every frame is valid, and the fold of them equals the worker's own messages", async () => {
    await using rig = await startRig();
    rig.model.reply(
      { thinking: "hm", text: "x", toolCalls: [{ name: "bash", args: { command: "exit 3" } }] },
      { text: "**ok**" },
    );
    await rig.worker.prompt("go");
    const folded = rig.worker.lines.map(readFrame).reduce((transcript, reading) => {
      expect(reading.kind).toMatch(/^(frame|response)$/);
      return reading.kind === "frame" ? foldTranscript(transcript, reading.frame) : transcript;
    }, emptyTranscript);
    const own = dig(await rig.worker.ask({ type: "get_messages" }), "data", "messages");
    const untimed = (messages: unknown) =>
      JSON.parse(JSON.stringify(messages, (key, value) => (key === "time" ? "" : value)));
    expect(untimed(folded.messages)).toEqual(untimed(own));
  });

  it("[W16] an unknown tool and bad arguments become error results, and the turn goes on", async () => {
    await using rig = await startRig({ args: ["--tools", "read"] });
    rig.model.reply(
      {
        toolCalls: [
          { name: "bash", args: { command: "true" } },
          { name: "read", args: { file: "x" } },
        ],
      },
      { text: "sorry" },
    );
    const frames = await rig.worker.prompt("go");
    expect(
      only(frames, "tool_result").map((frame) => [frame["is_error"], dig(frame, "content", 0, "text")]),
    ).toEqual([
      [true, 'unknown tool "bash"; available: read'],
      [true, "bad arguments for read: path: expected string"],
    ]);
    expect(rig.model.requests[0]?.tools).toEqual(["read"]);
    expect(frames.at(-2)).toMatchObject({ stop: "end" });
  });

  it("[W17] --max-steps ends the turn with an error after that many calls", async () => {
    await using rig = await startRig({ args: ["--max-steps", "2"] });
    const call = { toolCalls: [{ name: "bash", args: { command: "true" } }] };
    rig.model.reply(call, call);
    const frames = await rig.worker.prompt("loop");
    expect(shape(frames).slice(-3)).toEqual(["tool_result", "error", "done"]);
    expect(frames.at(-2)).toMatchObject({ message: "max steps (2) exceeded" });
    expect(rig.model.requests).toHaveLength(2);
  });

  it("[W18] an answer cut at the length limit loses its tool calls, which may be incomplete", async () => {
    await using rig = await startRig();
    rig.model.reply({
      text: "so far",
      toolCalls: [{ name: "bash", args: { command: "rm -rf x" } }],
      stop: "length",
    });
    const frames = await rig.worker.prompt("go");
    expect(only(frames, "assistant_message")[0]).toMatchObject({
      content: [{ type: "text", text: "so far" }],
    });
    expect(only(frames, "tool_call")).toEqual([]);
    expect(shape(frames).slice(-2)).toEqual(["turn_end(length)", "done"]);
  });

  it("[W19] prompts queue in order; `started` comes only when one starts; busy tells", async () => {
    await using rig = await startRig();
    rig.model.reply({ text: "one", hangBefore: "end" }, { text: "two" }, { text: "three" });
    const ids = ["first", "second", "third"].map((message) => rig.worker.send({ type: "prompt", message }));
    await rig.worker.next("text_delta");
    expect(await rig.worker.ask({ type: "get_state" })).toMatchObject({
      data: { busy: true, message_count: 1 },
    });
    for (const command of [
      { type: "clear" },
      { type: "set_model", model: "claude-haiku-4-5" },
      { type: "restore", messages: [] },
    ]) {
      expect(await rig.worker.ask(command)).toMatchObject({
        success: false,
        error: "agent is busy; wait for completion or abort before retrying",
      });
    }
    const started = () =>
      only(rig.worker.frames, "response").filter((frame) => frame["command"] === "prompt");
    expect(started().map((frame) => frame["id"])).toEqual([ids[0]]);
    rig.model.release();
    for (let turn = 0; turn < 3; turn++) await rig.worker.next("done");
    expect(started().map((frame) => frame["id"])).toEqual(ids);
    const order = rig.worker.frames.flatMap((frame) =>
      frame.type === "user_message" || frame.type === "assistant_message"
        ? [dig(frame, "content", 0, "text")]
        : [],
    );
    expect(order).toEqual(["first", "one", "second", "two", "third", "three"]);
  });

  it("[W19] the queue is bounded: the 66th waiting prompt is refused", async () => {
    await using rig = await startRig();
    rig.model.reply({ hangBefore: "headers" });
    for (let count = 0; count < 65; count++) rig.worker.send({ type: "prompt", message: `p${count}` });
    expect(await rig.worker.ask({ type: "prompt", message: "one too many" })).toMatchObject({
      success: false,
      error: expect.stringContaining("too many"),
    });
  });
});

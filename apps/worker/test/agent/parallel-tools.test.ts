// Tool calls of one answer: reading ones side by side, the others one after the other. The runner is given
// tools that tell when they begin and end, because no real one can be made to wait for another.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Response, ToolCallBlock, WorkerEvent } from "@patchbay/protocol";
import { describe, expect, it } from "vitest";
import { Conversation } from "../../src/agent/conversation/conversation.ts";
import { TurnModes } from "../../src/agent/conversation/turn-modes.ts";
import { SteeringQueue } from "../../src/agent/prompts/steering-queue.ts";
import { runTools, type ToolParts } from "../../src/agent/turn/run-tools.ts";
import { readFlags } from "../../src/config/flags.ts";
import { readWorkerConfig } from "../../src/config/worker-config.ts";
import { chooseModel } from "../../src/models/choose-model.ts";
import { SettingsRegistry } from "../../src/output/settings-registry.ts";
import { succeeded, type Tool } from "../../src/tools/tool.ts";
import { toolContexts } from "../../src/tools/tool-context.ts";
import { dig, only, startRig } from "../rig.ts";

async function createParts(): Promise<{ parts: ToolParts; frames: (WorkerEvent | Response)[] }> {
  const frames: (WorkerEvent | Response)[] = [];
  const flags = readFlags([]);
  const config = readWorkerConfig({}, {});
  const output = {
    write: (frame: WorkerEvent | Response) => void frames.push(frame),
    ready: () => undefined,
  };
  const conversation = new Conversation(flags.cwd, await chooseModel(flags, config));
  const parts = {
    output,
    modes: new TurnModes(new SettingsRegistry(output), conversation, flags),
    steering: new SteeringQueue(),
    gates: [],
    toolContext: toolContexts({
      session: conversation,
      shellEnv: config.shellEnv,
      outputs: config.home,
      jail: { confinement: () => null },
    }),
  };
  return { parts, frames };
}

/** A tool whose calls are in the hands of the test. */
function openTool(name: string, effect?: "reads") {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const news: (() => void)[] = [];
  const tool: Tool = {
    name,
    description: "",
    parameters: {},
    ...(effect === undefined ? {} : { effect }),
    run: async (args) => {
      const id = String(args);
      began.push(id);
      for (const tell of news.splice(0)) tell();
      await new Promise<void>((resolve) => ends.set(id, resolve));
      return succeeded(id);
    },
  };
  return {
    tool,
    began,
    end: (id: string) => ends.get(id)?.(),
    async running(count: number): Promise<void> {
      while (began.length < count) await new Promise<void>((resolve) => news.push(resolve));
    },
  };
}

const call = (name: string, id: string): ToolCallBlock => ({ type: "tool_call", id, name, args: id });
const never = new AbortController().signal;

describe("parallel tool calls", () => {
  it("[W82] reading tools run at the same time; a result is told when it is there, and stands where its call stands", async () => {
    const { parts, frames } = await createParts();
    const look = openTool("look", "reads");
    const results = runTools(
      parts,
      ["a", "b", "c"].map((id) => call("look", id)),
      [look.tool],
      never,
    );
    await look.running(3);
    for (const id of ["c", "a", "b"]) {
      look.end(id);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await results).map(({ call_id }) => call_id)).toEqual(["a", "b", "c"]);
    expect(frames.map((frame) => dig(frame, "id"))).toEqual(["c", "a", "b"]);
  });

  it("[W82] the others run alone and in order, and what reads waits for them", async () => {
    const { parts } = await createParts();
    const look = openTool("look", "reads");
    const change = openTool("change");
    const calls = [call("look", "a"), call("change", "b"), call("change", "c"), call("look", "d")];
    const results = runTools(parts, calls, [look.tool, change.tool], never);
    await look.running(1);
    expect(change.began).toEqual([]);
    look.end("a");
    await change.running(1);
    expect([...look.began, ...change.began]).toEqual(["a", "b"]);
    change.end("b");
    await change.running(2);
    expect(look.began).toEqual(["a"]);
    change.end("c");
    await look.running(2);
    look.end("d");
    expect((await results).map(({ call_id }) => call_id)).toEqual(["a", "b", "c", "d"]);
  });

  it("[W82] at most eight at once", async () => {
    const { parts } = await createParts();
    const look = openTool("look", "reads");
    const ids = Array.from({ length: 11 }, (_, index) => `${index}`);
    const results = runTools(
      parts,
      ids.map((id) => call("look", id)),
      [look.tool],
      never,
    );
    await look.running(8);
    await new Promise((resolve) => setImmediate(resolve));
    expect(look.began).toHaveLength(8);
    for (const id of ids.slice(0, 8)) look.end(id);
    await look.running(11);
    for (const id of ids.slice(8)) look.end(id);
    expect((await results).map(({ call_id }) => call_id)).toEqual(ids);
  });

  it("[W82] the read tool is one that reads: many files in one answer, their results in one message", async () => {
    await using rig = await startRig();
    const names = Array.from({ length: 12 }, (_, index) => `f${index}.txt`);
    for (const name of names) await writeFile(join(rig.directory, name), `in ${name}\n`);
    rig.model.reply({ toolCalls: names.map((path) => ({ name: "read", args: { path } })) }, { text: "all" });
    const frames = await rig.worker.prompt("read them");
    expect(only(frames, "tool_result")).toHaveLength(12);
    expect(rig.model.requests[1]?.toolResults).toEqual(names.map((name) => `in ${name}\n`));
  });
});

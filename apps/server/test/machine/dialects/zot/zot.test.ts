// zot's own form of models, and what its rpc cannot do, in front of the dialect and of the scripted program.
import { spawn } from "node:child_process";
import { onLines } from "@patchbay/testing/lines";
import { promptFor, type Step } from "@patchbay/testing/scene";
import { fixtureWorker } from "@patchbay/testing/server-process";
import { waitUntil } from "@patchbay/testing/wait-until";
import { describe, expect, it } from "vitest";
import { zotDialect } from "../../../../src/machine/dialects/zot/dialect.ts";
import { readRecording } from "../recordings.ts";
import { openZot } from "./harness.ts";

describe("models of zot", () => {
  it.each<[string, object]>([
    ["its own form", { model: "claude-opus-4-5" }],
    ["provider/model", { model: "anthropic/claude-opus-4-5" }],
    ["provider and modelId", { provider: "anthropic", modelId: "claude-opus-4-5" }],
    ["both", { provider: "anthropic", modelId: "anthropic/claude-opus-4-5" }],
  ])("[O401] %s reaches it as the id alone", (_form, named) => {
    const zot = openZot();
    zot.greet("anthropic", "claude-sonnet-4-5");
    zot.translation.toWorker({ type: "set_model", id: "m", ...named });
    expect(zot.sent.at(-1)).toEqual({ type: "set_model", id: "m", model: "claude-opus-4-5" });
  });

  it("[O401] an id with a slash of its own stays whole", () => {
    const zot = openZot();
    zot.greet("ollama", "qwen3");
    zot.translation.toWorker({ type: "set_model", id: "m", model: "hf.co/qwen/qwen3" });
    expect(zot.sent.at(-1)).toMatchObject({ model: "hf.co/qwen/qwen3" });
  });

  it("[O401] a model of another provider is refused, because zot stays with the one that it was started with", () => {
    const zot = openZot();
    zot.greet("anthropic", "claude-sonnet-4-5");
    const sent = zot.sent.length;
    zot.translation.toWorker({ type: "set_model", id: "a", model: "openai/gpt-5" });
    zot.translation.toWorker({ type: "set_model", id: "b", provider: "kimi", modelId: "k2" });
    for (const id of ["a", "b"])
      expect(zot.response(id)).toMatchObject({
        success: false,
        error: expect.stringContaining("zot stays with the provider that it was started with"),
      });
    expect(zot.sent).toHaveLength(sent);
  });

  it("[O401] the built-in agent, which names its capabilities, gets the command as it is", () => {
    const builtin = openZot("openai/gpt-5");
    const data = { protocol_version: 1, version: "1", provider: "demo", model: "demo", capabilities: [] };
    builtin.write({ type: "response", command: "hello", success: true, data });
    const command = { type: "set_model", id: "m", provider: "openai", modelId: "gpt-5" };
    builtin.translation.toWorker(command);
    expect(builtin.sent).toEqual([command]);
    expect(builtin.emitted).toMatchObject([{ command: "hello", success: true }]);
  });

  it.each(["anthropic/claude-nope", "claude-nope", "openai/claude-sonnet-4-5"])(
    "[O402] %s, which zot would replace without a word, is refused",
    (chosen) => {
      const zot = openZot(chosen);
      zot.greet("anthropic", "claude-sonnet-4-5");
      expect(zot.response("h")).toMatchObject({
        success: false,
        error: expect.stringMatching(/zot does not have the model ".*" and would use "anthropic\/claude-son/),
      });
    },
  );

  it.each(["anthropic/claude-opus-4-5", "claude-opus-4-5"])("[O402] %s is started with", (chosen) => {
    const zot = openZot(chosen);
    zot.greet("anthropic", "claude-opus-4-5");
    expect(zot.response("h")).toMatchObject({ success: true });
    const args = zotDialect.startArguments({ cwd: "/w", model: chosen });
    expect(args.slice(2)).toEqual([
      ...(chosen.includes("/") ? ["--provider", "anthropic"] : []),
      ...["--model", "claude-opus-4-5"],
    ]);
  });
});

describe("the scripted zot", () => {
  it.each(["commands", "hello_before_auth", "hello_wrong_token", "hello_absent_token"])(
    "[O400] answers the commands of the recording %s as the real one does",
    async (name) => {
      const recording = readRecording("zot-2026-05", name);
      const token = name.startsWith("hello") ? { ZOTCORE_RPC_TOKEN: "shared-secret" } : {};
      const { said, code } = await play(recording, [], (lines) => lines.map(shape), token);
      expect(said).toEqual(outOf(recording).map(shape));
      expect(String(code)).toBe(recording.find(({ dir }) => dir === "exit")?.line);
    },
  );

  const next: Step[] = [{ say: ["Now ", "me."] }];
  const words: Step[] = [{ say: ["One ", "two "] }];
  it.each<[string, ...Step[][]]>([
    ["abort_headers", [{ wait: true }], next],
    ["abort_text", [...words, { wait: true }], next],
    ["abort_tool_args", [...words, { calls: "echo never" }], next],
    ["tool_bash", [...words, { run: ["echo one"] }, ...words]],
    ["tool_parallel", [{ run: ["echo one", "echo two"] }, ...words]],
    ["model_err401", [{ fail: true }], next],
    ["model_err429", [{ retry: true }], next],
    ["compact_abort", next, next, next, [{ say: ["To sum up."] }, { slow: true }], next],
    ["clear", words, next],
  ])("[O400] writes the frames of the recording %s", async (name, ...scenes) => {
    const recording = readRecording("zot-2026-05", name);
    const prompts = scenes.map((steps) => promptFor(steps));
    const { said } = await play(recording, prompts, grammar);
    expect(said).toEqual(grammar(outOf(recording)));
  });
});

type Lines = ReturnType<typeof readRecording>;
const outOf = (recording: Lines): string[] =>
  recording.flatMap(({ dir, line }) => (dir === "out" ? [line] : []));

/** What does not depend on a model: the shape of each response, and which errors there are. */
function shape(line: string): unknown {
  const { type, command, success, error, id, message, data } = JSON.parse(line) as Record<string, unknown>;
  const keys = data === undefined ? undefined : Object.keys(Object(data)).toSorted();
  const [reason] = [error, message].join("").split(/[:(]/); // Go's words for what is wrong with a line are its own
  return { type, command, success, id, keys, reason };
}

/** The types of the lines, several of one type in a row once, and how calls ended. */
function grammar(lines: readonly string[]): string[] {
  return lines
    .map((line) => {
      const { type, command, stop, error } = JSON.parse(line) as Record<string, unknown>;
      const cancelled = String(error).endsWith("context canceled") ? "cancelled" : "";
      return [type, command, stop, cancelled].filter(Boolean).join(" ");
    })
    .filter((type, index, all) => type !== all[index - 1]);
}

/** Gives the program the recorded commands, each when it has written what was recorded before it, with these prompts. */
async function play<T>(
  recording: Lines,
  prompts: readonly string[],
  view: (lines: string[]) => T[],
  environment: Record<string, string> = {},
): Promise<{ said: T[]; code: number | null }> {
  const [program, ...args] = fixtureWorker("zot-player");
  const env = { ...process.env, ...environment };
  const child = spawn(String(program), args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const lines: string[] = [];
  const closed = new Promise((resolve) => child.stdout.once("end", resolve));
  onLines(child.stdout, (line) => lines.push(line));
  const waiting = [...prompts];
  const recorded: string[] = [];
  for (const { dir, line } of recording) {
    if (dir === "out") recorded.push(line);
    if (dir !== "in") continue;
    const wanted = view(recorded).length;
    await waitUntil(() => view(lines).length >= wanted);
    const command = Object(readJson(line)) as Record<string, unknown>;
    const prompt = command["type"] === "prompt" ? waiting.shift() : undefined;
    child.stdin.write(`${prompt === undefined ? line : JSON.stringify({ ...command, message: prompt })}\n`);
  }
  child.stdin.end();
  const code = await exited;
  await closed;
  return { said: view(lines), code };
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // a recording sends garbage
  }
}

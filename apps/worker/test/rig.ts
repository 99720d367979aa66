// What most worker tests need: a fake model, a directory of its own, and a worker that knows both.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeModel, type Reply, startFakeModel } from "@patchbay/testing/fake-model";
import { type AnyFrame, startWorker, type WorkerClient } from "@patchbay/testing/worker-client";

export interface Rig extends AsyncDisposable {
  readonly model: FakeModel;
  readonly worker: WorkerClient;
  readonly directory: string;
  /** The person's home directory; Patchbay's own is `.patchbay` in it. */
  readonly home: string;
}

export const secret = "sk-test-not-for-shells";

/** Where each provider is reached when the fake model stands in for it. */
export const environments = (baseUrl: string): Record<string, Record<string, string>> => ({
  anthropic: { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: `${baseUrl}/anthropic` },
  openai: { OPENAI_API_KEY: secret, OPENAI_BASE_URL: `${baseUrl}/openai/v1` },
  google: { GEMINI_API_KEY: secret, GOOGLE_BASE_URL: `${baseUrl}/google/v1beta` },
  deepseek: { DEEPSEEK_API_KEY: secret, DEEPSEEK_BASE_URL: `${baseUrl}/deepseek/v1` },
  "openai-compatible": { OPENAI_COMPATIBLE_BASE_URL: `${baseUrl}/compatible/v1` },
});

export async function startRig(
  options: {
    args?: string[];
    env?: Record<string, string>;
    provider?: string;
    /** Writes what the worker shall find when it starts. */
    prepare?(places: { directory: string; home: string }): Promise<unknown>;
  } = {},
): Promise<Rig> {
  const model = await startFakeModel();
  const directory = await mkdtemp(join(tmpdir(), "patchbay-worker-test-"));
  const home = await mkdtemp(join(tmpdir(), "patchbay-worker-home-"));
  await options.prepare?.({ directory, home });
  const worker = startWorker({
    args: ["--cwd", directory, ...(options.args ?? [])],
    env: { HOME: home, ...environments(model.baseUrl)[options.provider ?? "anthropic"], ...options.env },
  });
  return {
    model,
    worker,
    directory,
    home,
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      for (const path of [directory, home]) await rm(path, { recursive: true, force: true });
    },
  };
}

/** Frames by their types, with runs of deltas as one: what a grammar is about. */
export function shape(frames: readonly AnyFrame[]): string[] {
  return frames
    .map((frame) => (frame.type === "turn_end" ? `turn_end(${String(frame["stop"])})` : frame.type))
    .filter((type, at, all) => !(/_delta$|_args$|_progress$/.test(type) && all[at - 1] === type));
}

/** A value inside a frame, by path; undefined where the path ends early. */
export function dig(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

export const only = (frames: readonly AnyFrame[], type: string): AnyFrame[] =>
  frames.filter((frame) => frame.type === type);

export interface ToolRun {
  readonly text: string;
  readonly isError: boolean;
  readonly content: unknown;
  readonly frames: AnyFrame[];
}

/** Has the model call one tool, and gives back what the tool answered. */
export async function runTool({ model, worker }: Rig, name: string, args: unknown): Promise<ToolRun> {
  const reply: Reply = { toolCalls: [{ name, args }] };
  model.reply(reply, { text: "ok" });
  const frames = await worker.prompt(`use ${name}`);
  const result = only(frames, "tool_result")[0];
  return {
    text: String(dig(result, "content", 0, "text")),
    isError: result?.["is_error"] === true,
    content: result?.["content"],
    frames,
  };
}

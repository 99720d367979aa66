// The built-in worker's entry: flags, model, then commands from stdin until it closes.
// It is kept small, because a session's first response waits for all of it to load.
import { statSync } from "node:fs";
import { LineSplitter, LineTooLongError, linesOf } from "@patchbay/protocol";
import { type Flags, OptionsError, readFlags, usage } from "./config/flags.ts";
import { listProviders } from "./config/providers.ts";
import { readSecrets } from "./config/secrets.ts";
import { version } from "./config/version.ts";
import { readWorkerConfig, type WorkerConfig } from "./config/worker-config.ts";
import type { Worker } from "./create-worker.ts";
import { type Model, toModelInfo } from "./models/catalog.ts";
import { chooseModel } from "./models/choose-model.ts";
import { FrameOutput } from "./output/worker-output.ts";
import { answerFirstHello } from "./rpc/first-hello.ts";
import { Gate } from "./rpc/hello.ts";
import { failureResponse } from "./rpc/responses.ts";

/** zot's cap; an image in base64 must fit. */
const maxLineBytes = 16 * 1024 * 1024;
/** Tools are killed long before this; it is for a provider's library that ignores the abort. */
const stopTurnsMs = 1_500;
/** Extensions get two seconds to end by themselves, then SIGTERM, then SIGKILL. */
const closeMs = 3_500;
/** A reader that has stopped reading must not keep a worker alive. */
const flushMs = 500;

async function main(): Promise<void> {
  const flags = readFlags(process.argv.slice(2));
  const config = readWorkerConfig(
    process.env,
    flags.secretsFd === undefined ? {} : readSecrets(flags.secretsFd),
  );
  // stdout is for frames; a library that logs must not write between them.
  // oxlint-disable-next-line no-console -- taken out of the way, not used
  console.log = console.info = console.debug = console.error;
  if (flags.action === "help") return print(usage);
  if (flags.action === "version") return print(`${version}\n`);
  if (flags.action === "list-models") {
    const { usableModels } = await import("./models/self-hosted.ts");
    const models = await usableModels(config.access);
    const access = listProviders(config.access);
    return print(`${JSON.stringify({ models: models.map(toModelInfo), providers: access })}\n`);
  }
  if (!statSync(flags.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OptionsError(`${flags.cwd} is not a directory; --cwd must name one`);
  }
  const model = await chooseModel(flags, config);
  const gate = new Gate(config.rpcToken);
  const unread = answerFirstHello(gate, model);
  if (gate.refused) process.exit(1);
  await serve(flags, config, model, gate, unread);
}

async function serve(
  flags: Flags,
  config: WorkerConfig,
  model: Model,
  gate: Gate,
  unread: Uint8Array,
): Promise<void> {
  let ending = false;
  let worker: Worker | null = null;
  const frames = new FrameOutput(process.stdout, () => void end(0));
  process.on("SIGTERM", () => void end(0));
  process.on("SIGINT", () => void end(0));

  /** Leaves nothing behind: the running turn is cancelled, its tools are killed, frames are written. */
  async function end(code: number): Promise<void> {
    if (ending) return;
    ending = true;
    process.stdin.pause();
    await within(stopTurnsMs, worker?.lifecycle.stopTurns());
    await within(closeMs, worker?.lifecycle.close());
    await within(flushMs, frames.flushed());
    process.exit(code);
  }

  const { createWorker } = await import("./create-worker.ts");
  worker = createWorker({ flags, config, model, gate, frames, end: (code) => void end(code) });
  const { server, lifecycle, permits } = worker;

  async function finish(): Promise<void> {
    permits.close();
    await lifecycle.idle();
    await end(0);
  }

  const lines = new LineSplitter({ maxLineBytes });
  const acceptRun = (run: Uint8Array): void => {
    for (const line of linesOf(run)) if (!ending) server.accept(line);
  };
  const acceptChunk = (chunk: Uint8Array): void => {
    try {
      for (const run of lines.pushRuns(chunk)) acceptRun(run);
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      frames.write(failureResponse("", undefined, `the line is too long: at most ${maxLineBytes} bytes`));
      void end(1);
    }
  };
  acceptChunk(unread);
  process.stdin.on("data", acceptChunk);
  process.stdin.on("end", () => {
    acceptRun(lines.end() ?? new Uint8Array(0));
    void (flags.onEof === "abort" ? end(0) : finish());
  });
  process.stdin.on("error", () => void end(0));
}

async function within(ms: number, work: Promise<void> | undefined): Promise<void> {
  if (work === undefined) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function print(text: string): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
  process.exit(0);
}

main().catch((error: unknown) => {
  const message = error instanceof OptionsError ? error.message : String(error);
  process.stderr.write(`patchbay agent: ${message}\n`, () => process.exit(1));
});

// A built-in worker for tests: a real process, its frames in order, and methods that await frames. They read from a cursor, so a frame
// is found whether it arrived before or after the call.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { LineSplitter, linesOf } from "@patchbay/protocol";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const workerPath = join(root, "dist/worker/worker.cjs");

/** A frame of which only the type is known. Tests check the rest with matchers. */
export interface AnyFrame {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isFrame = (value: unknown): value is AnyFrame =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

export interface WorkerOptions {
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
}

export interface WorkerExit {
  code: number | null;
  signal: string | null;
}

/** Shorter than a test's timeout, so that the error can name the missing frame. */
const timeoutMs = 45_000; // building a Go program took over 20 s beside other load

export class WorkerClient implements AsyncDisposable {
  readonly frames: AnyFrame[] = [];
  readonly lines: string[] = [];
  stderr = "";
  /** Lines on stdout that are not frames: help, the version, a list of models. */
  raw = "";
  /** Resolves when the process has ended and all its output was read. */
  readonly exit: Promise<WorkerExit>;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #cursor = 0;
  #ids = 0;
  #exited: WorkerExit | null = null;
  #wake: (() => void)[] = [];

  constructor(options: WorkerOptions = {}) {
    const { PATH = "", HOME = "" } = process.env;
    this.#child = spawn(process.execPath, [workerPath, ...(options.args ?? [])], {
      cwd: options.cwd,
      env: { PATH, HOME, PATCHBAY_DEMO_DELAY_MS: "0", PATCHBAY_RETRY_DELAY_MS: "1", ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const lines = new LineSplitter({ maxLineBytes: 256 * 1024 * 1024 });
    this.#child.stdout.on("data", (chunk: Buffer) => {
      for (const run of lines.pushRuns(chunk))
        for (const line of linesOf(run)) this.#take(new TextDecoder().decode(line));
    });
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.#child.stdin.on("error", () => {}); // the worker has exited
    this.gone = once(this.#child, "exit").then(() => {});
    this.exit = once(this.#child, "close").then(([code, signal]) => {
      this.#exited = { code, signal };
      this.#notify();
      return this.#exited;
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  #take(line: string): void {
    this.lines.push(line);
    const value: unknown = line.startsWith('{"type":') ? JSON.parse(line) : null;
    if (isFrame(value)) this.frames.push(value);
    else this.raw += `${line}\n`;
    this.#notify();
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  writeRaw(text: string | Uint8Array): void {
    this.#child.stdin.write(text);
  }

  /** Sends a command and returns its id. */
  send(command: { type: string; id?: string; [field: string]: unknown }): string {
    const id = command.id ?? `c${++this.#ids}`;
    this.writeRaw(`${JSON.stringify({ ...command, id })}\n`);
    return id;
  }

  /** The response to a command, anywhere among the frames. */
  async ask(command: { type: string; [field: string]: unknown }): Promise<AnyFrame> {
    const from = this.frames.length;
    const id = this.send(command);
    return this.#find(
      (frame) => frame.type === "response" && frame["id"] === id,
      from,
      `response to ${command.type}`,
    );
  }

  /** The next frame for which this is true. Frames before it are skipped. */
  async next(matches: string | ((frame: AnyFrame) => boolean)): Promise<AnyFrame> {
    const test = typeof matches === "string" ? (frame: AnyFrame) => frame.type === matches : matches;
    const frame = await this.#find(test, this.#cursor, String(matches));
    this.#cursor = this.frames.indexOf(frame) + 1;
    return frame;
  }

  /** The first frame for which this is true, received already or later. */
  some(test: (frame: AnyFrame) => boolean): Promise<AnyFrame> {
    return this.#find(test, 0, String(test));
  }

  /** The first frame of a type since a position, received already or later. Does not move the cursor. */
  first(type: string, from = 0): Promise<AnyFrame> {
    return this.#find((frame) => frame.type === type, from, type);
  }

  /** Sends a prompt and returns its frames, from the response to `done`. */
  async prompt(message: string, more: Record<string, unknown> = {}): Promise<AnyFrame[]> {
    this.#cursor = this.frames.length;
    const from = this.#cursor;
    this.send({ type: "prompt", message, ...more });
    return this.turn(from);
  }

  /** The frames from a position to the next `done`. */
  async turn(from: number = this.#cursor): Promise<AnyFrame[]> {
    const done = await this.#find((frame) => frame.type === "done", from, "done");
    const to = this.frames.indexOf(done) + 1;
    this.#cursor = to;
    return this.frames.slice(from, to);
  }

  async #find(test: (frame: AnyFrame) => boolean, from: number, what: string): Promise<AnyFrame> {
    const deadline = AbortSignal.timeout(timeoutMs);
    for (let at = from; ; at++) {
      while (at >= this.frames.length) {
        if (this.#exited !== null) throw new Error(`worker exited before ${what}: ${this.#story()}`);
        await this.#nextFrame(deadline, what);
      }
      const frame = this.frames[at];
      if (frame !== undefined && test(frame)) return frame;
    }
  }

  #nextFrame(deadline: AbortSignal, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = (): void => reject(new Error(`no ${what} in ${timeoutMs} ms: ${this.#story()}`));
      if (deadline.aborted) return late();
      deadline.addEventListener("abort", late, { once: true });
      this.#wake.push(() => {
        deadline.removeEventListener("abort", late);
        resolve();
      });
    });
  }

  #story(): string {
    const last = this.lines.slice(-12).map((line) => line.slice(0, 300));
    return `${JSON.stringify(this.#exited)}\nstderr: ${this.stderr}\nlast frames:\n${last.join("\n")}`;
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  /** Stops reading, as an overloaded server does. */
  pauseReading(): void {
    this.#child.stdout.pause();
  }

  resumeReading(): void {
    this.#child.stdout.resume();
  }

  /** Closes the pipes, as a killed server does. */
  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    this.#child.stdout.resume(); // unread output would keep the pipe open
    await this.exit;
  }
}

export const startWorker = (options?: WorkerOptions): WorkerClient => new WorkerClient(options);

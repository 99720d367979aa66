// The conversation with one worker process: starts it, says hello, matches responses to what was
// asked, and tells in words why it failed or ended. One link per process, never reused.
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { HelloData, type Response } from "@patchbay/protocol";
import type { Dialect, Translation, WorkerBound } from "../../machine/dialects/dialect.ts";
import type { WorkerSandbox } from "../../machine/processes/sandbox.ts";
import { startCommand } from "../../machine/processes/start-command.ts";
import { type WorkerExit, type WorkerLaunch, WorkerProcess } from "../../machine/processes/worker-process.ts";
import { WorkerSocket } from "../../machine/processes/worker-socket.ts";
import type { ProcessMark } from "../../store/session-record.ts";
import type { SegmentItem } from "../log/journal.ts";
import { sortRun } from "../log/sort-run.ts";
import { describeExit, describeStartFailure, type StartOutcome } from "./describe-exit.ts";

/** Why a worker never became ready, for a person. */
class WorkerStartError extends Error {
  override name = "WorkerStartError";
}

export interface WorkerListener {
  /** Reads a run of lines with `read`, which calls `segment` and `noise`. */
  run(read: () => void): void;
  /** Consecutive frames, ready to be numbered, and what they hold. */
  segment(bytes: Uint8Array, count: number, items: readonly SegmentItem[]): void;
  noise(line: string, problem: string): void;
  /** Lines come faster than they are written: a promise to wait for before reading on. */
  pressure(): Promise<void> | undefined;
  /** What it wrote could not be handled, and it is being ended for that. */
  failed(error: unknown): void;
  exited(end: WorkerEnd): void;
}

/** How a worker ended. */
export interface WorkerEnd extends WorkerExit {
  /** For a person; absent when the end was asked for. */
  reason: string | undefined;
  stderr: string;
}

/** The life of a link. Fields exist only in the state that they belong to. */
type Life =
  | { is: "starting"; noise: string[] }
  | { is: "ready" }
  /** A worker that would go on without us is told to end its part. */
  | { is: "closing"; closed: Promise<unknown> }
  | { is: "gone" };

/** Lines of rubbish before the first response that make it clear that this is no worker. */
const maxEarlyNoise = 50;

export class WorkerLink {
  readonly #process: WorkerProcess | WorkerSocket;
  /** It was started ahead, and does not know its directory yet. */
  fromPool = false;
  /** It was started with what it had called the session: it remembers by itself. */
  resumes = false;
  #listener: WorkerListener;
  readonly #translation: Translation;
  readonly #program: string;
  readonly #sandbox: WorkerSandbox | undefined;
  readonly #token: string;
  readonly #waiting = new Map<string, (response: Response) => void>();
  readonly #started: Promise<StartOutcome>;
  #decideStart: (outcome: StartOutcome) => void = () => {};
  #startOutcome: StartOutcome | undefined;
  #nextId = 1;
  #life: Life = { is: "starting", noise: [] };
  /** The first line that was no frame, for the reason of a failed start. */
  #firstNoise: string | undefined;
  #waitedMs = 0;
  #greeting: Promise<HelloData> | undefined;
  readonly #stopWaitMs: number;
  /** Why the server ended it. */
  #endReason: string | undefined;
  /** It wrote something that could not be handled; nothing more of it is read. */
  #isBroken = false;

  constructor(launch: WorkerLaunch, dialect: Dialect, listener: WorkerListener) {
    this.#listener = listener;
    this.#stopWaitMs = launch.stopWaitMs;
    this.#program = launch.command[0]; // its arguments may hold a key
    this.#sandbox = launch.sandbox;
    this.#token = randomBytes(32).toString("hex");
    const env = { ...launch.env, ZOTCORE_RPC_TOKEN: this.#token };
    this.#started = new Promise((resolve) => {
      this.#decideStart = (outcome) => {
        if (this.#startOutcome !== undefined) return;
        this.#startOutcome = outcome;
        if (helloIn(outcome) !== undefined && this.#life.is === "starting") this.#life = { is: "ready" };
        resolve(outcome);
      };
    });
    const sink = {
      segment: (bytes: Uint8Array, count: number, items: readonly SegmentItem[]) =>
        this.#listener.segment(bytes, count, items),
      response: (response: Response) => this.#settle(response),
      noise: (line: string, problem: string) => {
        this.#noteNoise(line);
        this.#listener.noise(line, problem);
      },
    };
    this.#translation = dialect.open({
      cwd: launch.cwd,
      model: launch.model,
      environment: launch.env,
      files: launch.files,
      start: (command, how) => startCommand(launch, command, how),
      send: (line) => this.#process.write(line),
      // What a dialect still has to say of a worker that is gone is about nothing any more.
      emit: (lines) => {
        if (this.#life.is !== "gone") this.#contain(() => sortRun(lines, sink));
      },
    });
    const onRun = (run: Uint8Array) => {
      this.#contain(() => this.#translation.fromWorker(run));
      return this.#listener.pressure();
    };
    this.#process =
      launch.socket === undefined
        ? new WorkerProcess({ ...launch, env }, onRun)
        : new WorkerSocket({ path: launch.socket, maxLineBytes: launch.maxLineBytes }, onRun);
    void this.#process.exited.then((exit) => this.#ended(exit)); // `exited` never rejects
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** By which this very process can be known again; null when it never ran. */
  get mark(): ProcessMark | null {
    return this.#process.mark;
  }

  /** From the pool to a session: everything it says from now on is for `listener`. */
  adopt(listener: WorkerListener): void {
    this.#listener = listener;
    this.fromPool = true;
  }

  /** Says hello and waits for the answer; asked again, it gives the same one. The first thing to happen decides. */
  hello(withinMs: number): Promise<HelloData> {
    this.#greeting ??= this.#sayHello(withinMs);
    return this.#greeting;
  }

  async #sayHello(withinMs: number): Promise<HelloData> {
    this.#waitedMs = withinMs;
    const timer = setTimeout(() => this.#decideStart({ cause: "silence" }), withinMs);
    this.request({ type: "hello", token: this.#token }, (response) =>
      this.#decideStart({ cause: "answer", response }),
    );
    const outcome = await this.#started;
    clearTimeout(timer);
    const hello = helloIn(outcome);
    return hello ?? this.giveUp(this.#startFailure());
  }

  /** It is no use: ends it, and says why. */
  async giveUp(reason: string): Promise<never> {
    await this.end(reason);
    throw new WorkerStartError(reason);
  }

  /** Nobody asked for it: people are told why. */
  end(reason: string): Promise<void> {
    this.#endReason ??= reason;
    return this.stop();
  }

  /** Sends a command, with an id of ours, and resolves with its response; a worker that ends answers everything with a failure. */
  ask(command: WorkerBound): Promise<Response> {
    return new Promise((resolve) => this.request(command, resolve));
  }

  /** Like `ask`, but calls `respond` while the response is being read, before the lines that follow it. */
  request(command: WorkerBound, respond: (response: Response) => void): void {
    if (this.#life.is === "gone") return respond(gone(command.type));
    const id = `p${this.#nextId++}`;
    this.#waiting.set(id, respond);
    this.#translation.toWorker({ ...command, id });
  }

  /** Sends something that has no response, with its own id if it has one. */
  tell(command: WorkerBound): void {
    this.#translation.toWorker(command);
  }

  async stop(): Promise<void> {
    if (this.#life.is === "ready" && this.#translation.closeRemote !== undefined)
      this.#life = { is: "closing", closed: this.#closeRemote(this.#translation.closeRemote()) };
    if (this.#life.is === "closing") await this.#life.closed;
    await this.#process.stop();
  }

  /** A worker that does not answer is ended all the same. */
  #closeRemote(closed: Promise<void>): Promise<unknown> {
    return Promise.race([closed, this.#process.exited, delay(this.#stopWaitMs, undefined, { ref: false })]);
  }

  kill(): void {
    this.#process.kill();
  }

  #settle(response: Response): void {
    const resolve = response.id === undefined ? undefined : this.#waiting.get(response.id);
    if (response.id === undefined || resolve === undefined) return; // an answer nobody waits for any more
    this.#waiting.delete(response.id);
    resolve(response);
  }

  /** Nothing that a worker writes may end the server: what cannot be handled ends the worker, and only it. */
  #contain(handle: () => void): void {
    if (this.#isBroken) return;
    try {
      this.#listener.run(handle);
    } catch (error) {
      this.#isBroken = true;
      this.#listener.failed(error);
      void this.end(cannotHandle); // `stop` never rejects: it waits for the process
    }
  }

  #noteNoise(line: string): void {
    if (this.#life.is !== "starting" || this.#life.noise.length >= maxEarlyNoise) return;
    this.#firstNoise ??= line;
    this.#life.noise.push(line);
    if (this.#life.noise.length === maxEarlyNoise) this.#decideStart({ cause: "noise" });
  }

  #ended(exit: WorkerExit): void {
    const hadStarted = this.#life.is === "ready" || this.#life.is === "closing";
    this.#decideStart({ cause: "exit", exit }); // counts only if nothing decided before
    const usual = exit.cause === "asked" ? undefined : hadStarted ? describeExit(exit) : this.#startFailure();
    this.#life = { is: "gone" };
    this.#translation.close();
    void this.#sandbox?.remove(); // never rejects: what is left is removed by the next one
    this.#listener.exited({
      ...exit,
      reason: this.#endReason ?? usual,
      stderr: this.#process.stderr.last(),
    });
    for (const [id, resolve] of this.#waiting) resolve({ ...gone("worker"), id });
    this.#waiting.clear();
  }

  #startFailure(): string {
    const facts = { program: this.#program, noise: this.#firstNoise, waitedMs: this.#waitedMs };
    return describeStartFailure(this.#startOutcome ?? { cause: "silence" }, facts);
  }
}

const cannotHandle =
  "The agent sent something that the server could not handle, so it was stopped. The server's log has the details. Send a prompt to start it again.";

const helloIn = (outcome: StartOutcome): HelloData | undefined =>
  outcome.cause === "answer" && outcome.response.success
    ? HelloData.safeParse(outcome.response.data).data
    : undefined;

const gone = (command: string): Response => ({
  type: "response",
  command,
  success: false,
  error: "The worker ended before it answered.",
});

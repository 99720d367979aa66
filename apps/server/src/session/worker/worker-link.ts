// The conversation with one worker: starts it, says hello, matches responses to requests, and says in a sentence why it
// failed or ended. One link per process, never reused.
import { setTimeout as delay } from "node:timers/promises";
import { HelloData, type Resources, type Response } from "@patchbay/protocol";
import type { Machine, WorkerBound, WorkerExit, WorkerPort, WorkerStart } from "../../machine/machine.ts";
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
  /** Consecutive frames, ready to be numbered, and what they hold. The bytes stay as they are until `release` is called. */
  segment(
    bytes: Uint8Array,
    count: number,
    items: readonly SegmentItem[],
    release: (() => void) | undefined,
  ): void;
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

interface LinkOptions {
  machine: Pick<Machine, "launch">;
  start: WorkerStart;
  /** How long a worker's part at a daemon may take to end. */
  stopWaitMs: number;
}

/** The life of a link. Fields exist only in the state that they belong to. */
type LinkState =
  | { is: "starting"; noise: string[] }
  | { is: "ready" }
  /** A worker that would go on without us is told to end its part. */
  | { is: "closing"; closed: Promise<unknown> }
  | { is: "ended" };

/** Lines of rubbish before the first response that make it clear that this is no worker. */
const maxEarlyNoise = 50;

export class WorkerLink {
  readonly #port: WorkerPort;
  /** It was started ahead, and does not know its directory yet. */
  fromPool = false;
  /** It was started with what it had called the session: it remembers by itself. */
  resumes = false;
  #listener: WorkerListener;
  readonly #waiting = new Map<string, (response: Response) => void>();
  readonly #started: Promise<StartOutcome>;
  #decideStart: (outcome: StartOutcome) => void = () => {};
  #startOutcome: StartOutcome | undefined;
  #nextId = 1;
  #state: LinkState = { is: "starting", noise: [] };
  /** The first line that was no frame, for the reason of a failed start. */
  #firstNoise: string | undefined;
  #waitedMs = 0;
  #greeting: Promise<HelloData> | undefined;
  readonly #stopWaitMs: number;
  /** Why the server ended it. */
  #endReason: string | undefined;
  /** It wrote something that could not be handled; nothing more of it is read. */
  #isBroken = false;

  constructor({ machine, start, stopWaitMs }: LinkOptions, listener: WorkerListener) {
    this.#listener = listener;
    this.#stopWaitMs = stopWaitMs;
    this.#started = new Promise((resolve) => {
      this.#decideStart = (outcome) => {
        if (this.#startOutcome !== undefined) return;
        this.#startOutcome = outcome;
        if (helloIn(outcome) !== undefined && this.#state.is === "starting") this.#state = { is: "ready" };
        resolve(outcome);
      };
    });
    const sink = {
      segment: (bytes: Uint8Array, count: number, items: readonly SegmentItem[]) =>
        this.#listener.segment(bytes, count, items, this.#port.keep(bytes)),
      response: (response: Response) => this.#settle(response),
      noise: (line: string, problem: string) => {
        this.#noteNoise(line);
        this.#listener.noise(line, problem);
      },
    };
    this.#port = machine.launch(start, {
      read: (read) => this.#contain(read),
      // What a dialect still has to say of a worker that is gone is about nothing any more.
      lines: (lines) => {
        if (this.#state.is !== "ended") this.#contain(() => sortRun(lines, sink));
      },
      pressure: () => this.#listener.pressure(),
      noise: (line, problem) => this.#listener.noise(line, problem),
    });
    void this.#port.exited.then((exit) => this.#ended(exit)); // `exited` never rejects
  }

  get pid(): number | undefined {
    return this.#port.pid;
  }

  /** By which this very process can be known again; null when it never ran. */
  get mark(): ProcessMark | null {
    return this.#port.mark;
  }

  /** What it uses now; undefined where that is not known. */
  resources(): Resources | undefined {
    return this.#port.resources();
  }

  /** From the pool to a session: everything it says from now on is for `listener`. */
  adopt(listener: WorkerListener): void {
    this.#listener = listener;
    this.fromPool = true;
  }

  /** Says hello and waits for the answer; asked again, it gives the same one. The first thing to happen decides. */
  hello(withinMs: number): Promise<HelloData> {
    this.#greeting ??= this.#requestHello(withinMs);
    return this.#greeting;
  }

  async #requestHello(withinMs: number): Promise<HelloData> {
    this.#waitedMs = withinMs;
    const timer = setTimeout(() => this.#decideStart({ cause: "silence" }), withinMs);
    this.request({ type: "hello", token: this.#port.token }, (response) =>
      this.#decideStart({ cause: "answer", response }),
    );
    const outcome = await this.#started;
    clearTimeout(timer);
    const hello = helloIn(outcome);
    return hello ?? this.failStart(this.#startFailure());
  }

  /** It is no use: ends it, and says why. */
  async failStart(reason: string): Promise<never> {
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
    if (this.#state.is === "ended") return respond(endedResponse(command.type));
    const id = `p${this.#nextId++}`;
    this.#waiting.set(id, respond);
    this.#port.send({ ...command, id });
  }

  /** Sends something that has no response, with its own id if it has one. */
  send(command: WorkerBound): void {
    this.#port.send(command);
  }

  async stop(): Promise<void> {
    if (this.#state.is === "ready" && this.#port.closeRemote !== undefined)
      this.#state = { is: "closing", closed: this.#closeRemote(this.#port.closeRemote()) };
    if (this.#state.is === "closing") await this.#state.closed;
    await this.#port.stop();
  }

  /** A worker that does not answer is ended all the same. */
  #closeRemote(closed: Promise<void>): Promise<unknown> {
    return Promise.race([closed, this.#port.exited, delay(this.#stopWaitMs, undefined, { ref: false })]);
  }

  kill(): void {
    this.#port.kill();
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
    if (this.#state.is !== "starting" || this.#state.noise.length >= maxEarlyNoise) return;
    this.#firstNoise ??= line;
    this.#state.noise.push(line);
    if (this.#state.noise.length === maxEarlyNoise) this.#decideStart({ cause: "noise" });
  }

  #ended(exit: WorkerExit): void {
    const hadStarted = this.#state.is === "ready" || this.#state.is === "closing";
    this.#decideStart({ cause: "exit", exit }); // counts only if nothing decided before
    const usual = exit.cause === "asked" ? undefined : hadStarted ? describeExit(exit) : this.#startFailure();
    this.#state = { is: "ended" };
    this.#port.release();
    this.#listener.exited({
      ...exit,
      reason: this.#endReason ?? usual,
      stderr: this.#port.lastStderr(),
    });
    for (const [id, resolve] of this.#waiting) resolve({ ...endedResponse("worker"), id });
    this.#waiting.clear();
  }

  #startFailure(): string {
    const facts = { program: this.#port.program, noise: this.#firstNoise, waitedMs: this.#waitedMs };
    return describeStartFailure(this.#startOutcome ?? { cause: "silence" }, facts);
  }
}

const cannotHandle =
  "The agent sent something that the server could not handle, so it was stopped. The server's log has the details. Send a prompt to start it again.";

const helloIn = (outcome: StartOutcome): HelloData | undefined =>
  outcome.cause === "answer" && outcome.response.success
    ? HelloData.safeParse(outcome.response.data).data
    : undefined;

const endedResponse = (command: string): Response => ({
  type: "response",
  command,
  success: false,
  error: "The worker ended before it answered.",
});

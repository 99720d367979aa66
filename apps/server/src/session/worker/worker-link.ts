// The link to one worker: starts it, exchanges hello, matches responses to commands, and describes in a sentence why the
// worker failed or ended. One link per process, never reused.
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
  /** Backpressure: the worker writes faster than the log. The promise resolves when reading may continue. */
  pressure(): Promise<void> | undefined;
  /** The worker's output could not be handled; the worker is being ended. */
  failed(error: unknown): void;
  exited(end: WorkerEnd): void;
}

/** How a worker ended. */
export interface WorkerEnd extends WorkerExit {
  /** For a person; absent when the end was asked for. */
  reason: string | undefined;
  /** A person stopped its work, and it had to be ended for that: it has not failed. */
  wasStopped: boolean;
  stderr: string;
}

interface LinkOptions {
  machine: Pick<Machine, "launch">;
  start: WorkerStart;
  /** How long a daemon may take to close its session. */
  stopWaitMs: number;
}

/** Fields exist only in the state that they belong to. */
type LinkState =
  | { is: "starting"; noise: string[] }
  | { is: "ready" }
  /** A daemon outlives the link, so it is asked to close its session first. */
  | { is: "closing"; closed: Promise<unknown> }
  | { is: "ended" };

/** So many lines that are no frames, before the first response, show that the program is no worker. */
const maxEarlyNoise = 50;

export class WorkerLink {
  readonly #port: WorkerPort;
  /** The worker was started ahead, without a directory. */
  fromPool = false;
  /** The worker was started with its own id of the session, and resumes the context itself. */
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
  #wasStopped = false;
  /** The worker's output could not be handled; the rest is not read. */
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
      fromWorker: true as const,
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
      // A dialect may still translate lines after the worker has ended; they are dropped.
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

  /** Identifies this process after a restart of the server; null when it never ran. */
  get mark(): ProcessMark | null {
    return this.#port.mark;
  }

  /** Current memory and processor use; undefined where it is not known. */
  resources(): Resources | undefined {
    return this.#port.resources();
  }

  /** Moves a worker from the pool to a session: `listener` gets everything from now on. */
  adopt(listener: WorkerListener): void {
    this.#listener = listener;
    this.fromPool = true;
  }

  /** Sends hello and waits for the response; later calls share the result. The first of response, exit, noise and timeout decides. */
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

  /** Ends a worker that cannot be used, and throws the reason. */
  async failStart(reason: string): Promise<never> {
    await this.end(reason);
    throw new WorkerStartError(reason);
  }

  /** Ends a worker on the server's own decision; viewers see the reason. */
  end(reason: string): Promise<void> {
    this.#endReason ??= reason;
    return this.stop();
  }

  /** Ends a worker that goes on after a person stopped it; viewers see the reason. */
  endStopped(reason: string): Promise<void> {
    this.#wasStopped = true;
    return this.end(reason);
  }

  /** Sends a command with an id of the link and resolves with its response, or with a failure when the worker ends first. */
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

  /** Sends a command that has no response, with its own id if it has one. */
  send(command: WorkerBound): void {
    this.#port.send(command);
  }

  async stop(): Promise<void> {
    if (this.#state.is === "ready" && this.#port.closeRemote !== undefined)
      this.#state = { is: "closing", closed: this.#closeRemote(this.#port.closeRemote()) };
    if (this.#state.is === "closing") await this.#state.closed;
    await this.#port.stop();
  }

  /** Does not wait forever for a worker that does not answer. */
  #closeRemote(closed: Promise<void>): Promise<unknown> {
    return Promise.race([closed, this.#port.exited, delay(this.#stopWaitMs, undefined, { ref: false })]);
  }

  kill(): void {
    this.#port.kill();
  }

  #settle(response: Response): void {
    const resolve = response.id === undefined ? undefined : this.#waiting.get(response.id);
    if (response.id === undefined || resolve === undefined) return; // no caller waits for this response
    this.#waiting.delete(response.id);
    resolve(response);
  }

  /** No output of a worker may end the server: output that cannot be handled ends only that worker. */
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
    this.#decideStart({ cause: "exit", exit }); // ignored if the start was decided before
    const usual = exit.cause === "asked" ? undefined : hadStarted ? describeExit(exit) : this.#startFailure();
    this.#state = { is: "ended" };
    this.#port.release();
    this.#listener.exited({
      ...exit,
      reason: this.#endReason ?? usual,
      wasStopped: this.#wasStopped,
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
  "The agent sent something that the server could not process, so it was stopped. See the server's log for details. Send a prompt to start it again.";

const helloIn = (outcome: StartOutcome): HelloData | undefined =>
  outcome.cause === "answer" && outcome.response.success
    ? HelloData.safeParse(outcome.response.data).data
    : undefined;

const endedResponse = (command: string): Response => ({
  type: "response",
  command,
  success: false,
  error: "The agent stopped before it responded.",
});

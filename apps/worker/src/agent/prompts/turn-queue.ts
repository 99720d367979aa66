// One turn (a prompt or a compaction) at a time; the others wait in order of arrival.
// A turn is running from the moment it is added, so an abort in the very next line reaches it.
import type { QueueMode } from "@patchbay/protocol";
import type { WorkerOutput } from "../../output/worker-output.ts";
import { excerptOf, type Prompt } from "./prompt.ts";
import type { SteeringQueue } from "./steering-queue.ts";

export interface QueuedTurn {
  /** Size of the command that asked for it, which is what a waiting turn costs. */
  readonly bytes: number;
  /** The message it begins with; a compaction has none. */
  readonly prompt?: Prompt;
  /** A follow-up: may begin together with those that wait right behind it. */
  readonly joins?: boolean;
  run(signal: AbortSignal, joined: readonly Prompt[]): Promise<void>;
}

/** Why a turn was cancelled: `shutdown` leaves its tools less time to end by themselves. */
export type AbortCause = "abort" | "shutdown";

/** A person types a handful ahead; a program that sends more than this is in a loop. */
const maxWaiting = 64;
const maxWaitingBytes = 64 * 1024 * 1024;

interface QueueParts {
  /** With `all`, follow-ups that wait next to each other share a turn. */
  readonly modes: { readonly followUp: QueueMode };
  readonly steering: SteeringQueue;
  readonly output: WorkerOutput;
}

export class TurnQueue {
  readonly #parts: QueueParts;
  #waiting: QueuedTurn[] = [];
  #running: { turn: QueuedTurn; controller: AbortController } | null = null;
  #idle: (() => void)[] = [];

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  /** A prompt's turn is running, into which can be steered. */
  get prompting(): boolean {
    return this.#running?.turn.prompt !== undefined;
  }

  /** The prompts that wait, as excerpts of their text. */
  get excerpts(): string[] {
    return this.#waiting.flatMap(({ prompt }) => (prompt === undefined ? [] : [excerptOf(prompt)]));
  }

  /** False: the queue is full and the turn was not taken. */
  add(turn: QueuedTurn, where: "last" | "next" = "last"): boolean {
    if (this.#running === null) {
      this.#start(turn, []);
      return true;
    }
    const waitingBytes = this.#waiting.reduce((sum, waiting) => sum + waiting.bytes, turn.bytes);
    if (this.#waiting.length >= maxWaiting || waitingBytes > maxWaitingBytes) return false;
    if (where === "next") this.#waiting.unshift(turn);
    else this.#waiting.push(turn);
    if (turn.prompt !== undefined) this.announce();
    return true;
  }

  /** Writes what waits, steering included; call it after any change. */
  announce(): void {
    const { output, steering } = this.#parts;
    output.write({ type: "queue_update", steering: steering.excerpts, follow_up: this.excerpts });
  }

  /** Cancels the running turn only; the next one starts when it has wound down. */
  abort(cause: AbortCause = "abort"): void {
    this.#running?.controller.abort(cause);
  }

  dropWaiting(): void {
    this.#waiting = [];
  }

  async idle(): Promise<void> {
    if (this.#running === null) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #start(turn: QueuedTurn, joined: readonly Prompt[]): void {
    const controller = new AbortController();
    this.#running = { turn, controller };
    void turn.run(controller.signal, joined).finally(() => this.#next());
  }

  #next(): void {
    this.#running = null;
    const turn = this.#waiting.shift();
    if (turn !== undefined) {
      const joined = turn.joins === true && this.#parts.modes.followUp === "all" ? this.#takeFollowUps() : [];
      this.#start(turn, joined);
      if (turn.prompt !== undefined) this.announce();
      return;
    }
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #takeFollowUps(): Prompt[] {
    const end = this.#waiting.findIndex((turn) => turn.joins !== true);
    const taken = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
    return taken.flatMap(({ prompt }) => prompt ?? []);
  }
}

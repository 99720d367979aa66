// One turn (a prompt or a compaction) at a time; the others wait their turn in order of arrival.
// A turn is running from the moment it is taken, so an abort in the very next line reaches it.

export interface Turn {
  /** Size of the command that asked for it, which is what a waiting turn costs. */
  readonly bytes: number;
  run(signal: AbortSignal): Promise<void>;
}

/** Why a turn was cancelled: `shutdown` leaves its tools less time to end by themselves. */
export type AbortCause = "abort" | "shutdown";

/** A person types a handful ahead; a program that sends more than this is in a loop. */
const maxWaiting = 64;
const maxWaitingBytes = 64 * 1024 * 1024;

export class TurnQueue {
  #waiting: Turn[] = [];
  #waitingBytes = 0;
  #running: AbortController | null = null;
  #idle: (() => void)[] = [];

  get busy(): boolean {
    return this.#running !== null;
  }

  /** False: the queue is full and the turn was not taken. */
  add(turn: Turn): boolean {
    if (this.#running === null) {
      this.#start(turn);
      return true;
    }
    if (this.#waiting.length >= maxWaiting || this.#waitingBytes + turn.bytes > maxWaitingBytes) return false;
    this.#waiting.push(turn);
    this.#waitingBytes += turn.bytes;
    return true;
  }

  /** Cancels the running turn only; the next one starts when it has wound down. */
  abort(cause: AbortCause = "abort"): void {
    this.#running?.abort(cause);
  }

  dropWaiting(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  async idle(): Promise<void> {
    if (this.#running === null) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #start(turn: Turn): void {
    const controller = new AbortController();
    this.#running = controller;
    void turn.run(controller.signal).finally(() => this.#next());
  }

  #next(): void {
    this.#running = null;
    const turn = this.#waiting.shift();
    if (turn !== undefined) {
      this.#waitingBytes -= turn.bytes;
      this.#start(turn);
      return;
    }
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

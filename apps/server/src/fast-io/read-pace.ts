// Limits how often a worker's output is read under load: each read of one line costs a wake-up, a write to the log and a
// message, and with hundreds of workers that uses all processor time. Then a worker that writes little at a time is read
// about once per display frame, and the kernel collects its lines meanwhile. Without load, and for workers that write
// much, everything is read at once.
import { performance } from "node:perf_hooks";

/** Between reads: none, one display frame, one and a half. */
const pausesMs = [0, 16, 24] as const;
/** Use of a core by this process: above `busy`, pauses grow longer; below `idle`, shorter. (The event loop's own
 * utilization would count time in which other processes have the core.) */
const busy = 0.5;
const idle = 0.25;
const sampleMs = 100;

/** So many workers must have written since the last sample; with fewer, a wake-up per line is affordable. */
const manyWorkers = 32;

/** A worker that writes more is not held back: its pipe would soon be full. */
const littleBytesPerMs = 128;

/** The private part of a Node socket: unlike `pause`, it leaves the data in the kernel. */
interface ReadHandle {
  readStop(): void;
  readStart(): void;
}

/** Wall-clock and processor time of the process, in milliseconds. */
interface Times {
  now(): number;
  cpu(): number;
}

const times: Times = {
  now: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/** Measures the load, and holds back workers under load. One for all workers. */
export class ReadThrottle {
  readonly times: Times;
  #sampledAt: number;
  #used: number;
  #level = 0;
  #writers = 0;
  #held: { readOn(): void }[] = [];

  constructor(of: Times) {
    this.times = of;
    this.#sampledAt = of.now();
    this.#used = of.cpu();
  }

  get isBusy(): boolean {
    return this.#level > 0;
  }

  /** A worker has written; `before` is when it last did. */
  wrote(now: number, before: number): void {
    this.#sample(now);
    if (before <= this.#sampledAt) this.#writers++;
  }

  #sample(now: number): void {
    const elapsed = now - this.#sampledAt;
    if (elapsed < sampleMs) return;
    const used = this.times.cpu();
    const cores = (used - this.#used) / elapsed;
    this.#used = used;
    this.#sampledAt = now;
    const areMany = this.#writers >= manyWorkers;
    this.#writers = 0;
    if (!areMany) this.#level = 0;
    else if (cores > busy) this.#level = Math.min(this.#level + 1, pausesMs.length - 1);
    else if (cores < idle) this.#level = Math.max(this.#level - 1, 0);
  }

  /** Resumes reading together with all other held workers: one wake-up for all of them. */
  hold(one: { readOn(): void }): void {
    if (this.#held.push(one) > 1) return;
    setTimeout(() => {
      const held = this.#held;
      this.#held = [];
      for (const each of held) each.readOn();
    }, pausesMs[this.#level]);
  }
}

const shared = new ReadThrottle(times);

/** The recent output of one worker. */
export class ReadPace {
  readonly isPaused: () => boolean;
  readonly #handle: ReadHandle | undefined;
  readonly #throttle: ReadThrottle;
  #since: number;
  #bytes = 0;
  #isLittle = false;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `stream`: a socket of Node; one without such a handle is never held. */
  constructor(stream: { isPaused(): boolean }, throttle = shared) {
    this.isPaused = () => stream.isPaused();
    this.#throttle = throttle;
    this.#since = throttle.times.now();
    const handle: unknown = Reflect.get(stream, "_handle");
    this.#handle = isReadHandle(handle) ? handle : undefined;
  }

  /** Called after each read: the next read may have to wait. */
  read(bytes: number): void {
    const now = this.#throttle.times.now();
    this.#throttle.wrote(now, this.#readAt);
    this.#readAt = now;
    this.#bytes += bytes;
    const elapsed = now - this.#since;
    if (elapsed > sampleMs || this.#bytes > littleBytesPerMs * sampleMs) {
      this.#isLittle = this.#bytes < littleBytesPerMs * elapsed;
      this.#since = now;
      this.#bytes = 0;
    }
    if (!this.#throttle.isBusy || !this.#isLittle || this.#handle === undefined) return;
    this.#handle.readStop();
    this.#throttle.hold(this);
  }

  /** Resumes reading, unless the stream was paused meanwhile by its owner. */
  readOn(): void {
    if (!this.isPaused()) this.#handle?.readStart();
  }
}

export const isReadHandle = (value: unknown): value is ReadHandle =>
  typeof value === "object" && value !== null && "readStop" in value && "readStart" in value;

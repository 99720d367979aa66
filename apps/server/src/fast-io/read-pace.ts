// How often a worker's output is read when there is little time: each read of one line costs a wake-up, a write to
// the log and a message, and with hundreds of workers that is all the time there is. Then a worker that writes a
// little at a time is read at most once per frame of a display or so, and the kernel collects its lines meanwhile.
// While there is time to spare, and for whoever writes much, everything is read as it comes.
import { performance } from "node:perf_hooks";

/** Between reads: none, a frame of a display, one and a half. */
const pausesMs = [0, 16, 24] as const;
/** Of a core, by this whole process: above, pauses grow longer; below, shorter. (The event loop's own
 * utilization would count the time in which others have the core.) */
const busy = 0.5;
const idle = 0.25;
const sampleMs = 100;

/** So many workers have written since the last sample; of a few, each line is worth a wake-up. */
const crowd = 32;

/** A worker that writes more is not held back: what the kernel can collect of it is soon full. */
const littleBytesPerMs = 128;

/** The part of a Node socket that is not public: it leaves what comes in the kernel, as `pause` does not. */
interface ReadHandle {
  readStop(): void;
  readStart(): void;
}

/** What the process has had, in milliseconds. */
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

/** How little time there is, and who has to wait for it. One for all workers. */
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

  /** A worker has written, as it last did at `before`. */
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
    const crowded = this.#writers >= crowd;
    this.#writers = 0;
    if (!crowded) this.#level = 0;
    else if (cores > busy) this.#level = Math.min(this.#level + 1, pausesMs.length - 1);
    else if (cores < idle) this.#level = Math.max(this.#level - 1, 0);
  }

  /** Read again together with all others that are held: one wake-up for all of them. */
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

/** One worker's share: what it has written of late. */
export class ReadPace {
  readonly isPaused: () => boolean;
  readonly #handle: ReadHandle | undefined;
  readonly #throttle: ReadThrottle;
  #since: number;
  #bytes = 0;
  #isLittle = false;
  #readAt = Number.NEGATIVE_INFINITY;

  /** `stream`: a socket of Node's; one that has no such handle is read as it comes. */
  constructor(stream: { isPaused(): boolean }, throttle = shared) {
    this.isPaused = () => stream.isPaused();
    this.#throttle = throttle;
    this.#since = throttle.times.now();
    const handle: unknown = Reflect.get(stream, "_handle");
    this.#handle = isReadHandle(handle) ? handle : undefined;
  }

  /** So many bytes have been read: the next read may have to wait. */
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

  /** Its turn has come; unless it was paused meanwhile, which is not ours to end. */
  readOn(): void {
    if (!this.isPaused()) this.#handle?.readStart();
  }
}

export const isReadHandle = (value: unknown): value is ReadHandle =>
  typeof value === "object" && value !== null && "readStop" in value && "readStart" in value;

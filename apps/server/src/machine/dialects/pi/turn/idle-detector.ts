// Knows when a turn is over where the program does not say so (pi 0.74, omp after a compaction): it has been quiet,
// and asked for its state it says that it is idle.

interface Options {
  /** Asks the program; `hear` gets whether it is idle. */
  ask(hear: (idle: boolean) => void): void;
  over(): void;
}

/** A retry or a compaction follows an `agent_end` within milliseconds; a loaded machine takes longer. */
const quietMs = 150;
/** In the middle of a turn silence is normal: a tool runs, a model thinks. Asking costs omp 30 KB. */
const silentMs = 10_000;

export class Ending {
  readonly #options: Options;
  #quiet: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #heardAt = 0;
  /** Goes up whenever the turn is seen to go on: an answer from before does not count. */
  #signs = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** A turn has begun. */
  watch(): void {
    this.stop();
    this.heard();
    this.#silence = setTimeout(() => this.#onSilence(), silentMs);
  }

  /** Something came from the program. */
  heard(): void {
    this.#heardAt = performance.now();
  }

  /**
   * It may be over, if nothing follows. A prompt that has just been accepted may not have begun: then the
   * program is asked twice, some time apart.
   */
  mayBeOver({ begun }: { begun: boolean }, afterMs = quietMs): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#onQuiet(begun, afterMs), afterMs);
  }

  /** It is not over. */
  goesOn(): void {
    this.#signs++;
    clearTimeout(this.#quiet);
  }

  stop(): void {
    this.goesOn();
    clearTimeout(this.#silence);
  }

  #onQuiet(begun: boolean, waitedMs: number): void {
    const signs = this.#signs;
    this.#options.ask((idle) => {
      if (signs !== this.#signs) return;
      if (!idle) this.mayBeOver({ begun }, Math.min(2 * waitedMs, silentMs));
      else if (begun) this.#options.over();
      else this.mayBeOver({ begun: true });
    });
  }

  #onSilence(): void {
    const rest = silentMs - (performance.now() - this.#heardAt);
    if (rest > 1) {
      this.#silence = setTimeout(() => this.#onSilence(), rest);
      return;
    }
    const signs = this.#signs;
    this.#silence = setTimeout(() => this.#onSilence(), silentMs);
    this.#options.ask((idle) => {
      if (idle && signs === this.#signs) this.#options.over();
    });
  }
}

// Detects the end of a turn that the program does not report (pi 0.74, omp after a compaction): the program has sent nothing
// for a while, and its state says that it is idle.

interface IdleDetectorOptions {
  /** Asks the program whether it is idle. */
  askIdle(onAnswer: (idle: boolean) => void): void;
  onOver(): void;
}

/** A retry or a compaction follows `agent_end` within milliseconds, on a loaded machine later. */
const quietMs = 150;
/** In the middle of a turn silence is normal (a tool runs, a model thinks), and omp's response with its state has 30 KB. */
const silentMs = 10_000;

export class IdleDetector {
  readonly #options: IdleDetectorOptions;
  #quiet: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #activeAt = 0;
  /** Goes up whenever the turn is seen to go on. A response to an earlier check is then ignored. */
  #generation = 0;

  constructor(options: IdleDetectorOptions) {
    this.#options = options;
  }

  /** Called when a turn starts. */
  start(): void {
    this.stop();
    this.activity();
    this.#silence = setTimeout(() => this.#onSilence(), silentMs);
  }

  /** Called when the program has sent something. */
  activity(): void {
    this.#activeAt = performance.now();
  }

  /**
   * The turn may be over if nothing follows: asks the program after a while. If the agent has not started yet, the prompt may
   * just not have begun, so the program is asked twice.
   */
  checkSoon({ agentStarted }: { agentStarted: boolean }, afterMs = quietMs): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#onQuiet(agentStarted, afterMs), afterMs);
  }

  /** Called when the turn is seen to go on. */
  cancelCheck(): void {
    this.#generation++;
    clearTimeout(this.#quiet);
  }

  stop(): void {
    this.cancelCheck();
    clearTimeout(this.#silence);
  }

  #onQuiet(agentStarted: boolean, waitedMs: number): void {
    const generation = this.#generation;
    this.#options.askIdle((idle) => {
      if (generation !== this.#generation) return;
      if (!idle) this.checkSoon({ agentStarted }, Math.min(2 * waitedMs, silentMs));
      else if (agentStarted) this.#options.onOver();
      else this.checkSoon({ agentStarted: true });
    });
  }

  #onSilence(): void {
    const rest = silentMs - (performance.now() - this.#activeAt);
    if (rest > 1) {
      this.#silence = setTimeout(() => this.#onSilence(), rest);
      return;
    }
    const generation = this.#generation;
    this.#silence = setTimeout(() => this.#onSilence(), silentMs);
    this.#options.askIdle((idle) => {
      if (idle && generation === this.#generation) this.#options.onOver();
    });
  }
}

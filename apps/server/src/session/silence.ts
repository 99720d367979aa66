// Whether the agent of a running turn has been silent for long: many agents retry failed model calls for minutes without a word.
// Looked at every few seconds by the number of the newest frame, so that frames cost nothing on the way.

interface TurnNow {
  /** The number of the session's newest frame. */
  seq: number;
  /** A turn runs, and neither a tool nor a person is what it waits for. */
  waitsForModel: boolean;
}

export class Silence {
  readonly #limitMs: number;
  /** When the newest frame was first noticed. */
  #heard: { seq: number; at: number } = { seq: -1, at: 0 };
  #shown: string | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Returns whether `since` has changed. */
  check({ seq, waitsForModel }: TurnNow, now = Date.now()): boolean {
    if (!waitsForModel || seq !== this.#heard.seq) this.#heard = { seq, at: now };
    const before = this.#shown;
    const isLong = waitsForModel && now - this.#heard.at >= this.#limitMs;
    this.#shown = isLong ? new Date(this.#heard.at).toISOString() : undefined;
    return this.#shown !== before;
  }

  /** The time of the last sign, once that is long ago; undefined again with the next frame. */
  since(seq: number): string | undefined {
    return seq === this.#heard.seq ? this.#shown : undefined;
  }
}

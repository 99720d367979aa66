// Whether a line that says nothing still lives. A network that changed (another Wi-Fi, a VPN) tells nobody, and a
// browser believes in such a line for minutes: whoever wants to know asks, and counts the seconds.

interface Owner {
  /** Something was sent, and nothing has come since. */
  late(): void;
  /** Asks for any sign of life. */
  ping(): void;
  /** None came. */
  dead(): void;
}

/** How often a line is asked while somebody looks. */
export const pulseEveryMs = 20_000;
/** What was sent is usually answered sooner. */
const lateMs = 1_500;
/** Any line that is of use answers sooner. */
const answerMs = 5_000;
/** What a slow line carries: pictures that are still on their way keep the answer waiting behind them. */
const bytesPerMs = 64;
/** A server that is there has taken a socket and said its first word by then. */
const firstWordMs = 15_000;

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Pulse {
  readonly #owner: Owner;
  #late: Timer;
  #deadline: Timer;
  /** Bytes that were sent since something came. */
  #unheard = 0;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** A socket is being opened. */
  opening(): void {
    this.stop();
    this.#deadline = setTimeout(() => this.#owner.dead(), firstWordMs);
  }

  /** Whatever came, the line lives. */
  heard(): void {
    this.stop();
  }

  /** Whoever hears nothing for a moment after having spoken asks. */
  sent(bytes: number): void {
    this.#unheard += bytes;
    this.#late ??= setTimeout(() => {
      this.#late = undefined;
      this.#owner.late();
    }, lateMs);
  }

  check(): void {
    if (this.#deadline !== undefined) return; // it was asked already
    this.#owner.ping();
    this.#deadline = setTimeout(() => this.#owner.dead(), answerMs + this.#unheard / bytesPerMs);
  }

  stop(): void {
    clearTimeout(this.#late);
    clearTimeout(this.#deadline);
    this.#late = this.#deadline = undefined;
    this.#unheard = 0;
  }
}

// Whether a silent socket is still connected. When the network changes (another Wi-Fi, a VPN), a browser reports such a
// socket as open for minutes. So the page sends a ping and waits a few seconds for anything to arrive.

interface Owner {
  /** Something was sent, and nothing has arrived since. */
  late(): void;
  /** Asks the server for any message. */
  ping(): void;
  /** None arrived in time. */
  dead(): void;
}

/** How often a visible page checks its socket. */
export const heartbeatEveryMs = 20_000;
/** What was sent is usually answered sooner. */
const lateMs = 1_500;
/** Any usable line answers sooner. */
const answerMs = 5_000;
/** What a slow line carries: pictures that are still being sent delay the answer. */
const bytesPerMs = 64;
/** A reachable server has accepted a socket and sent its first message by then. */
const firstMessageMs = 15_000;

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Heartbeat {
  readonly #owner: Owner;
  #late: Timer;
  #deadline: Timer;
  /** Bytes that were sent since something arrived. */
  #unanswered = 0;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** A socket is being opened. */
  opening(): void {
    this.stop();
    this.#deadline = setTimeout(() => this.#owner.dead(), firstMessageMs);
  }

  /** Any message shows that the line works. */
  received(): void {
    this.stop();
  }

  /** Without a message soon after this, the owner is called. */
  sent(bytes: number): void {
    this.#unanswered += bytes;
    this.#late ??= setTimeout(() => {
      this.#late = undefined;
      this.#owner.late();
    }, lateMs);
  }

  check(): void {
    if (this.#deadline !== undefined) return; // a ping is under way
    this.#owner.ping();
    this.#deadline = setTimeout(() => this.#owner.dead(), answerMs + this.#unanswered / bytesPerMs);
  }

  stop(): void {
    clearTimeout(this.#late);
    clearTimeout(this.#deadline);
    this.#late = this.#deadline = undefined;
    this.#unanswered = 0;
  }
}

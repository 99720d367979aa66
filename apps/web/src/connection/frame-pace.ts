// When what a model says is shown: with the next frame of the screen. Where making a frame takes long, as with a fast
// model on a slow device, the page rests as long as it took before it makes the next one, so that at least half of its
// time is for whoever types and scrolls. Nothing is lost by it: what comes meanwhile is shown together.

/** A frame that takes no longer leaves time enough. */
const shortMs = 8;
/** Who waits longer thinks that it has stopped. */
const longestRestMs = 120;

export class FramePace {
  readonly #rendered = new MessageChannel();
  #began: number | null = null;
  #restsUntil = 0;

  constructor() {
    this.#rendered.port1.onmessage = () => this.#end();
  }

  /** Runs it with the frame in which it shall be shown; the answer takes it back. */
  next(run: () => void): () => void {
    let frame = 0;
    const ask = (): void => {
      frame = requestAnimationFrame(() => {
        this.#begin();
        run();
      });
    };
    const rest = this.#restsUntil - performance.now();
    if (rest <= 0) {
      ask();
      return () => cancelAnimationFrame(frame);
    }
    const timer = setTimeout(ask, rest);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }

  /** A message comes after the frame was laid out and painted: that is most of the work. */
  #begin(): void {
    if (this.#began !== null) return;
    this.#began = performance.now();
    this.#rendered.port2.postMessage(null);
  }

  #end(): void {
    const now = performance.now();
    const took = now - (this.#began ?? now);
    this.#began = null;
    if (took > shortMs) this.#restsUntil = now + Math.min(took, longestRestMs);
  }
}

/** One for the page: two sessions side by side share its time. */
export const framePace = new FramePace();

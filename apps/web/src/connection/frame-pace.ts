// When what a model says is shown: with the next frame of the screen. Where making a frame takes long, as with a fast
// model on a slow device, the page rests as long as it took before it makes the next one, so that at least half of its
// time is for whoever scrolls, and more of it for whoever types. Nothing is lost by it: what comes meanwhile is shown
// together.

/** A frame that takes no longer leaves time enough. */
const shortMs = 8;
/** Who waits longer thinks that it has stopped. */
const longestRestMs = 120;
/** Between the keys of somebody who types. */
const typingMs = 300;

export class FramePace {
  readonly #rendered = new MessageChannel();
  readonly #waiting = new Set<() => void>();
  #began: number | null = null;
  #restsUntil = 0;
  #typedAt = Number.NEGATIVE_INFINITY;

  constructor(keys: EventTarget) {
    this.#rendered.port1.onmessage = () => this.#end();
    const typed = (): void => {
      this.#typedAt = performance.now();
    };
    keys.addEventListener("keydown", typed, { capture: true, passive: true });
  }

  /** Runs it with the frame in which it shall be shown; the answer takes it back. `hurry`: there is nothing to see yet. */
  next(run: () => void, hurry = false): () => void {
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      frame = requestAnimationFrame(() => {
        this.#begin();
        run();
      });
    };
    const rest = (): void => {
      const ms = this.#restsUntil - performance.now();
      if (ms <= 0) ask();
      else timer = setTimeout(ask, ms);
    };
    // How long to rest is known when the frame that is being made is there.
    if (hurry) ask();
    else if (this.#began === null) rest();
    else this.#waiting.add(rest);
    return () => {
      this.#waiting.delete(rest);
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
    if (took > shortMs) {
      const types = now - this.#typedAt < typingMs;
      this.#restsUntil = now + (types ? longestRestMs : Math.min(took, longestRestMs));
    }
    for (const rest of this.#waiting) rest();
    this.#waiting.clear();
  }
}

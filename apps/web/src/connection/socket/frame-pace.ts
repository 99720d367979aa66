// When what arrives is shown: with the next animation frame. Text that streams is shown a few times per second, as fast
// as it can be read: a picture for every frame of the display would take a third of the page's time. It is applied before
// its frame begins, because following its end scrolls: a frame that scrolls is followed by another one that has nothing
// but the scroll event. Where a frame takes long, as with a fast model on a slow device, the page rests as long as the
// frame took, so that at least half of its time is left for scrolling. The frame after a key press shows the key alone,
// and the next one the answer. Nothing is lost: what arrives meanwhile is shown together.

/** `at once`: there is nothing on the screen yet. `steady`: text that continues what is shown. */
export type Haste = "at once" | "soon" | "steady";

/** Between two pictures of text that streams. */
const steadyMs = 100;

/** A frame that takes no longer leaves time enough. */
const shortMs = 8;
/** A longer pause looks like a stop. */
const longestRestMs = 120;
/** While a person types. */
const typingRestMs = 80;
/** The most between two keys of a person who types. */
const typingMs = 300;
/** How long the next key is waited for. */
const keyWaitMs = 100;
/** How often a key goes first: one that is held down has a key for every frame. */
const mostDeferrals = 3;

export class FramePace {
  readonly #rendered = new MessageChannel();
  readonly #waiting = new Set<() => void>();
  /** These wait for the next key. */
  readonly #forKey = new Set<() => void>();
  #began: number | null = null;
  #restsUntil = 0;
  /** When something was applied last. */
  #shownAt = Number.NEGATIVE_INFINITY;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** Of the frame that shows the newest key; null: it is still to come. */
  #keyFrame: number | null = Number.NaN;
  #isLong = false;

  constructor(keys: EventTarget) {
    this.#rendered.port1.onmessage = () => this.#end();
    keys.addEventListener("keydown", () => this.#typed(), { capture: true, passive: true });
  }

  /** Runs it with the frame that shows it; the returned function cancels it. */
  next(run: () => void, haste: Haste = "soon"): () => void {
    const hurry = haste === "at once";
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let deferrals = 0;
    const ask = (): void => {
      clearTimeout(timer);
      this.#forKey.delete(ask);
      frame = requestAnimationFrame((time) => {
        if (!hurry && this.#isForKey(time) && deferrals++ < mostDeferrals) return ask();
        this.#shownAt = performance.now();
        this.#begin();
        run();
      });
    };
    const waitForKey = (): void => {
      // A page that is hidden makes no frames, and shows nothing before it has one.
      if (!this.#isTyping()) return haste === "steady" && !document.hidden ? this.#runBefore(run) : ask();
      this.#forKey.add(ask);
      timer = setTimeout(ask, keyWaitMs);
    };
    const rest = (): void => {
      const steadyFrom = haste === "steady" ? this.#shownAt + steadyMs : 0;
      const ms = Math.max(this.#restsUntil, steadyFrom) - performance.now();
      if (ms <= 0 && haste !== "steady") waitForKey();
      else timer = setTimeout(waitForKey, ms);
    };
    // How long to rest is known when the frame that is being made is there.
    if (hurry) ask();
    else if (this.#began === null) rest();
    else this.#waiting.add(rest);
    return () => {
      this.#waiting.delete(rest);
      this.#forKey.delete(ask);
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }

  #typed(): void {
    this.#typedAt = performance.now();
    this.#keyFrame = null;
    for (const ask of this.#forKey) ask();
  }

  #isTyping(): boolean {
    return this.#isLong && performance.now() - this.#typedAt < typingMs;
  }

  /** Whether the frame of that time shows a key, and what else it would show takes long. */
  #isForKey(time: number): boolean {
    this.#keyFrame ??= time;
    return this.#keyFrame === time && this.#isLong;
  }

  /** In this task; the frame that shows it begins soon. The time between them is not the page's. */
  #runBefore(run: () => void): void {
    const began = performance.now();
    let took = 0;
    this.#shownAt = began;
    requestAnimationFrame(() => this.#begin(took));
    run();
    took = performance.now() - began;
  }

  /** A message comes after the frame was laid out and painted: that is most of the work. */
  #begin(tookBefore = 0): void {
    if (this.#began === null) this.#rendered.port2.postMessage(null);
    this.#began = (this.#began ?? performance.now()) - tookBefore;
  }

  #end(): void {
    const now = performance.now();
    const took = now - (this.#began ?? now);
    this.#began = null;
    this.#isLong = took > shortMs;
    if (this.#isLong)
      this.#restsUntil = now + (this.#isTyping() ? typingRestMs : Math.min(took, longestRestMs));
    for (const rest of this.#waiting) rest();
    this.#waiting.clear();
  }
}

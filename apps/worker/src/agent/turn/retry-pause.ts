// The wait before a failed model call is tried again; it ends by itself, by `abort_retry`, or with the turn.

export class RetryPause {
  #stop: (() => void) | null = null;

  get waiting(): boolean {
    return this.#stop !== null;
  }

  /** False when nothing waits. */
  stop(): boolean {
    if (this.#stop === null) return false;
    this.#stop();
    return true;
  }

  wait(ms: number, signal: AbortSignal): Promise<"over" | "stopped" | "aborted"> {
    return new Promise((resolve) => {
      const end = (how: "over" | "stopped" | "aborted"): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#stop = null;
        resolve(how);
      };
      const onAbort = (): void => end("aborted");
      const timer = setTimeout(() => end("over"), ms);
      this.#stop = () => end("stopped");
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}

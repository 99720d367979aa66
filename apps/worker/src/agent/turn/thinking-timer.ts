// How long a model thought, per block. Providers do not report it, so it is the time from the first of a run of
// thinking deltas to the first event after the run.
import type { ContentBlock } from "@patchbay/protocol";
import type { ModelEvent } from "../../models/adapters/adapter.ts";

export class ThinkingTimer {
  #durations: number[] = [];
  #since: number | null = null;

  observe(event: ModelEvent): void {
    const now = performance.now();
    if (event.type === "thinking_delta") this.#since ??= now;
    else if (this.#since !== null) {
      this.#durations.push(Math.round(now - this.#since));
      this.#since = null;
    }
  }

  /** Blocks that came without deltas (redacted ones) would shift the times, so then none is given. */
  addDurations(content: ContentBlock[]): ContentBlock[] {
    const thoughts = content.filter((block) => block.type === "thinking").length;
    if (thoughts !== this.#durations.length) return content;
    let index = 0;
    return content.map((block) =>
      block.type === "thinking" ? { ...block, duration_ms: this.#durations[index++] ?? 0 } : block,
    );
  }
}

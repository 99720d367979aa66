// How long a model thought, block by block. Providers do not say it, so it is the time from a run of
// thinking deltas' first to the first event after it.
import type { ContentBlock } from "@patchbay/protocol";
import type { ModelEvent } from "../../models/adapters/adapter.ts";

export class ThinkingClock {
  #durations: number[] = [];
  #since: number | null = null;

  tick(event: ModelEvent): void {
    const now = performance.now();
    if (event.type === "thinking_delta") this.#since ??= now;
    else if (this.#since !== null) {
      this.#durations.push(Math.round(now - this.#since));
      this.#since = null;
    }
  }

  /** Blocks that came without deltas (redacted ones) would shift the times, so then none is given. */
  stamp(content: ContentBlock[]): ContentBlock[] {
    const thoughts = content.filter((block) => block.type === "thinking").length;
    if (thoughts !== this.#durations.length) return content;
    let index = 0;
    return content.map((block) =>
      block.type === "thinking" ? { ...block, duration_ms: this.#durations[index++] ?? 0 } : block,
    );
  }
}

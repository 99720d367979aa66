// One answer of the model while it streams. It keeps the text of each block, to complete a final message that omp has cut, and
// to skip a long final message that repeats the stream.
import type { ContentBlock } from "@patchbay/protocol";
import { toBlocks } from "../wire/blocks.ts";
import type { FoundDelta } from "../wire/find-delta.ts";
import type { PiMessage } from "../wire/schemas.ts";

/** As much as the transcript's fold keeps of an answer. For a longer one the program's final message is used. */
const maxKeptChars = 16 * 1024 * 1024;
/** A shorter message is always emitted: it is cheap to repeat and has details (signatures) that the stream lacks. */
const maxRepeated = 64 * 1024;

/** omp's protocol v1 replaces the rest of a long text by this. */
const elided = /…\[\d+ chars elided for RPC frame\]$/;

export class StreamedAnswer {
  readonly #texts = new Map<number, string>();
  readonly #calls = new Map<number, string>();
  #kept = 0;

  /** Keeps the text of a delta; arguments of tool calls are not kept. */
  add({ kind, block, json }: FoundDelta): void {
    if (kind === "args") return;
    const text: unknown = JSON.parse(json.toString());
    if (typeof text !== "string") return;
    this.#kept += text.length;
    if (this.#kept <= maxKeptChars) this.#texts.set(block, (this.#texts.get(block) ?? "") + text);
  }

  /** Returns false when the call was started before. */
  startCall(block: number, id: string): boolean {
    if (this.#calls.has(block)) return false;
    this.#calls.set(block, id);
    return true;
  }

  call(block: number): string | undefined {
    return this.#calls.get(block);
  }

  /** Nothing was streamed. */
  get isEmpty(): boolean {
    return this.#kept === 0 && this.#calls.size === 0;
  }

  get calls(): Iterable<string> {
    return this.#calls.values();
  }

  /** The final message, with the texts that omp has cut replaced by the streamed ones. */
  complete(content: PiMessage["content"]): ContentBlock[] {
    if (typeof content === "string") return toBlocks(content);
    return content.flatMap((given, index) =>
      toBlocks([given]).map((block) => this.#restoreCut(block, index)),
    );
  }

  /** True when the message is long and all of it has been streamed: then it need not be emitted. */
  wasStreamed(content: readonly ContentBlock[]): boolean {
    if (this.#kept < maxRepeated || this.#kept > maxKeptChars) return false;
    const streamed = [...this.#texts.entries()].sort(([a], [b]) => a - b).map(([, text]) => text);
    const settled = content.flatMap((block) => ("text" in block ? [block.text] : []));
    return streamed.length === settled.length && settled.every((text, index) => text === streamed[index]);
  }

  #restoreCut(block: ContentBlock, index: number): ContentBlock {
    if (block.type !== "text" && block.type !== "thinking") return block;
    if (!elided.test(block.text)) return block;
    const streamed = this.#texts.get(index);
    return streamed === undefined || this.#kept > maxKeptChars ? block : { ...block, text: streamed };
  }
}

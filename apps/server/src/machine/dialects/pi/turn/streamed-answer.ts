// One answer of the model while it streams: what came, block by block, so that a message that omp has cut can be
// made whole, and a long one that says nothing new need not be sent again.
import type { ContentBlock } from "@patchbay/protocol";
import { toBlocks } from "../wire/blocks.ts";
import type { FoundDelta } from "../wire/find-delta.ts";
import type { PiMessage } from "../wire/schemas.ts";

/** As much as the transcript's fold keeps of an answer. Beyond it the program's own account is relied on. */
const mostKept = 16 * 1024 * 1024;
/** A shorter message is cheap to repeat, and its exact form (signatures) is worth having. */
const worthSparing = 64 * 1024;

/** What omp's protocol v1 puts in the place of the rest of a long text. */
const elided = /…\[\d+ chars elided for RPC frame\]$/;

export class Answer {
  readonly #texts = new Map<number, string>();
  readonly #calls = new Map<number, string>();
  #kept = 0;

  /** Notes the delta, unless it belongs to a call. */
  add({ kind, block, json }: FoundDelta): void {
    if (kind === "args") return;
    const text: unknown = JSON.parse(json.toString());
    if (typeof text !== "string") return;
    this.#kept += text.length;
    if (this.#kept <= mostKept) this.#texts.set(block, (this.#texts.get(block) ?? "") + text);
  }

  /** False when the call was known. */
  startCall(block: number, id: string): boolean {
    if (this.#calls.has(block)) return false;
    this.#calls.set(block, id);
    return true;
  }

  call(block: number): string | undefined {
    return this.#calls.get(block);
  }

  get calls(): Iterable<string> {
    return this.#calls.values();
  }

  /** The program's account, with what it has cut put back. */
  settle(content: PiMessage["content"]): ContentBlock[] {
    if (typeof content === "string") return toBlocks(content);
    return content.flatMap((given, index) => toBlocks([given]).map((block) => this.#mend(block, index)));
  }

  /** Everything in the message has been streamed, and it is long. */
  tells(content: readonly ContentBlock[]): boolean {
    if (this.#kept < worthSparing || this.#kept > mostKept) return false;
    const streamed = [...this.#texts.entries()].sort(([a], [b]) => a - b).map(([, text]) => text);
    const settled = content.flatMap((block) => ("text" in block ? [block.text] : []));
    return streamed.length === settled.length && settled.every((text, index) => text === streamed[index]);
  }

  #mend(block: ContentBlock, index: number): ContentBlock {
    if (block.type !== "text" && block.type !== "thinking") return block;
    if (!elided.test(block.text)) return block;
    const streamed = this.#texts.get(index);
    return streamed === undefined || this.#kept > mostKept ? block : { ...block, text: streamed };
  }
}

// Messages that a person sends into a running turn. They wait for the end of its step; what an abort
// leaves waiting is kept, and goes ahead of the next prompt.
import type { QueueMode } from "@patchbay/protocol";
import { excerptOf, type Prompt } from "./prompt.ts";

/** As for prompts: a person sends a handful, a program that sends more is in a loop. */
const maxWaiting = 64;
const maxWaitingBytes = 64 * 1024 * 1024;

export class SteeringQueue {
  #waiting: { prompt: Prompt; bytes: number }[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  get excerpts(): string[] {
    return this.#waiting.map(({ prompt }) => excerptOf(prompt));
  }

  /** False: too much waits, and it was not taken. */
  add(prompt: Prompt, bytes: number): boolean {
    const waitingBytes = this.#waiting.reduce((sum, item) => sum + item.bytes, bytes);
    if (this.#waiting.length >= maxWaiting || waitingBytes > maxWaitingBytes) return false;
    this.#waiting.push({ prompt, bytes });
    return true;
  }

  /** Removes one; undefined when another message is at this index by now. */
  remove(index: number, excerpt: string): Prompt | undefined {
    const found = this.#waiting[index]?.prompt;
    if (found === undefined || excerptOf(found) !== excerpt) return undefined;
    this.#waiting.splice(index, 1);
    return found;
  }

  /** What the mode lets through now. */
  take(mode: QueueMode): Prompt[] {
    const count = mode === "all" ? this.#waiting.length : 1;
    return this.#waiting.splice(0, count).map(({ prompt }) => prompt);
  }
}

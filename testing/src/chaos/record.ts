// What the chaos run has seen and done: the frames that viewers were shown, and what became of every prompt. The checker
// compares it with what the server has kept.
import { createHash } from "node:crypto";

/** What the server said of a prompt, and what the run did to it. */
export interface PromptRecord {
  readonly id: string;
  readonly session: string;
  readonly viewer: string;
  readonly message: string;
  answer?: {
    success: boolean;
    data?: { started?: boolean; queued?: boolean; fate?: string };
    error?: string;
  };
  /** The run took it out of the queue. */
  removed?: boolean;
  /** It was set aside with an unknown fate at some time. */
  setAside?: boolean;
}

export class ChaosRecord {
  readonly prompts = new Map<string, PromptRecord>();
  readonly violations: string[] = [];
  /** For each session: the digest of each frame that any viewer was shown, by its number. */
  readonly shown = new Map<string, Map<number, string>>();
  frames = 0;

  /** A viewer was shown a frame: every viewer must be shown the same under that number. */
  show(session: string, seq: number, line: string): void {
    this.frames++;
    const known = this.shown.get(session) ?? new Map<number, string>();
    this.shown.set(session, known);
    const digest = digestOf(line);
    const before = known.get(seq);
    if (before === undefined) known.set(seq, digest);
    else if (before !== digest) this.violate(`${session}: frame ${seq} was shown with two contents`);
  }

  violate(what: string): void {
    if (this.violations.length < 100) this.violations.push(what);
  }
}

export const digestOf = (line: string): string =>
  createHash("sha1").update(line).digest("base64").slice(0, 12);

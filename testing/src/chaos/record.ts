// The record of the chaos run: the frames that viewers got, and the outcome of every prompt. The checker compares it with the server's
// logs.
import { createHash } from "node:crypto";

/** The server's response to a prompt, and what the run did with it. */
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
  /** The run removed it from the queue. */
  removed?: boolean;
  /** Its fate was unknown at some time. */
  setAside?: boolean;
}

export class ChaosRecord {
  readonly prompts = new Map<string, PromptRecord>();
  readonly violations: string[] = [];
  /** For each session: the digest of each frame that any viewer got, by number. */
  readonly shown = new Map<string, Map<number, string>>();
  frames = 0;

  /** Records a frame of a viewer. Every viewer must get the same frame under that number. */
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

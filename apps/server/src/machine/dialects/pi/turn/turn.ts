// A turn of the program: what is known of it so far.
import type { WorkerBound } from "../../dialect.ts";

export interface Turn {
  /** Null: nobody asked for it; an extension did, or omp goes on by itself. */
  prompt: WorkerBound | null;
  /** Under which id the program was asked. */
  askedAs: string;
  /** The program has answered the prompt. */
  taken: boolean;
  /** Whoever asked has been told that it started. */
  started: boolean;
  /** The agent is or was at work. */
  begun: boolean;
  ended: boolean;
  /** The program will repeat the prompt. */
  echo: boolean;
  aborting: boolean;
  retrying: boolean;
  compacting: boolean;
  /** Aborts that came too early to be passed on. */
  aborts: WorkerBound[];
  error: string | undefined;
  at: number;
}

export const newTurn = (prompt: WorkerBound | null): Turn => ({
  prompt,
  askedAs: "",
  taken: false,
  started: false,
  begun: false,
  ended: false,
  echo: true,
  aborting: false,
  retrying: false,
  compacting: false,
  aborts: [],
  error: undefined,
  at: performance.now(),
});

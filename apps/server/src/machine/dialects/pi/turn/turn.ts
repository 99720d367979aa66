// The state of a turn of the program.
import type { WorkerBound } from "../../dialect.ts";

export interface PiTurn {
  /** Null: no viewer sent a prompt. An extension started the turn, or omp continued by itself. */
  prompt: WorkerBound | null;
  /** The id of the request with the prompt. */
  requestId: string;
  /** The program has responded to the prompt. */
  accepted: boolean;
  /** The response to the prompt and its `user_message` were emitted. */
  started: boolean;
  agentStarted: boolean;
  agentEnded: boolean;
  /** The program will repeat the prompt as a message. */
  expectsEcho: boolean;
  aborting: boolean;
  retrying: boolean;
  compacting: boolean;
  /** Aborts that came too early to be sent to the program. */
  aborts: WorkerBound[];
  error: string | undefined;
  startedAt: number;
}

export const newTurn = (prompt: WorkerBound | null): PiTurn => ({
  prompt,
  requestId: "",
  accepted: false,
  started: false,
  agentStarted: false,
  agentEnded: false,
  expectsEcho: true,
  aborting: false,
  retrying: false,
  compacting: false,
  aborts: [],
  error: undefined,
  startedAt: performance.now(),
});

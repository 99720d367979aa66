// One command and its one response. A handler answers when it is done; what it throws becomes the
// response, so that a failed command never ends the worker.
import type { WorkerCommand } from "@patchbay/protocol";

export interface Exchange {
  succeed(data?: unknown): void;
  fail(error: string): void;
  /** Size of the command's line. */
  readonly bytes: number;
}

export type CommandOf<T extends WorkerCommand["type"]> = Extract<WorkerCommand, { type: T }>;

export type Handlers<T extends WorkerCommand["type"]> = {
  readonly [K in T]: (command: CommandOf<K>, exchange: Exchange) => void | Promise<void>;
};

export const busyError = "agent is busy; wait for completion or abort before retrying";

// The errors that HTTP calls and the session socket can end with: one table, so that every way in
// says the same thing. docs/api.md is held to it by a test.
import * as z from "zod/mini";

export interface ErrorKind {
  readonly status: number;
  /** The WebSocket close code, where the error can end a socket. */
  readonly close?: number;
  /** For a person; callers may say it more exactly. */
  readonly sentence: string;
}

export const errorTable = {
  bad_request: { status: 400, sentence: "Invalid request." },
  unknown_worker: { status: 400, sentence: "There is no agent with this name." },
  worker_unavailable: { status: 400, sentence: "This agent cannot be started here." },
  bad_directory: { status: 400, sentence: "This directory does not exist or cannot be used." },
  key_reused: {
    status: 409,
    sentence:
      "This Idempotency-Key was used before with other content. Use a new key, or repeat the call exactly.",
  },
  budget_used_up: { status: 402, sentence: "A budget is used up." },
  not_logged_in: {
    status: 401,
    sentence: 'Log in first. Run "patchbay login" on the server and open the link that it prints.',
  },
  login_ended: {
    status: 401,
    close: 4401,
    sentence: "Your login on this device has ended. Log in again.",
  },
  forbidden: {
    status: 403,
    close: 4403,
    sentence: "Requests from this host or origin are not allowed.",
  },
  no_such_session: { status: 404, close: 4404, sentence: "This session does not exist." },
  no_such_turn: {
    status: 404,
    sentence:
      "This turn does not exist. Only turns that were begun over HTTP have an address, the newest 1,000 of a session.",
  },
  not_found: { status: 404, sentence: "Nothing found at this address." },
  too_slow: {
    status: 408,
    close: 4408,
    sentence: "The connection is too slow. Reconnect with the number of the last frame you received.",
  },
  read_only: {
    status: 409,
    sentence: "This is set in the config file. Change it there and restart Patchbay.",
  },
  session_deleted: { status: 410, close: 4410, sentence: "The session was deleted." },
  too_large: { status: 413, close: 1009, sentence: "The line or body is too long." },
  too_many: { status: 429, close: 1013, sentence: "Too many requests. Wait a moment and try again." },
  queue_full: {
    status: 429,
    sentence: "The queue of this session is full. Wait for a turn to end and try again.",
  },
  internal: {
    status: 500,
    close: 1011,
    sentence: "Something went wrong in Patchbay. See the server's log for details.",
  },
  going_away: { status: 503, close: 1001, sentence: "The server is shutting down." },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

export const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
export type ErrorBody = z.infer<typeof ErrorBody>;

/** An error with a code from the table; whatever raises one, http and socket know how to say it. */
export class PatchbayError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string = errorTable[code].sentence) {
    super(message);
    this.name = "PatchbayError";
    this.code = code;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  toBody(): ErrorBody {
    return { error: { code: this.code, message: this.message } };
  }
}

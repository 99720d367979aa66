// The errors that HTTP calls and the session socket can end with: one table, so that every way in
// says the same thing. docs/api.md is held to it by a test.
import { type ErrorBody, type ErrorKind, socketErrors } from "./socket-errors.ts";

export const errorTable = {
  ...socketErrors,
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
  code_needed: { status: 401, sentence: "Enter a code of your authenticator app." },
  no_such_turn: {
    status: 404,
    sentence:
      "This turn does not exist. Only turns that were begun over HTTP have an address, the newest 1,000 of a session.",
  },
  not_found: { status: 404, sentence: "Nothing found at this address." },
  read_only: {
    status: 409,
    sentence: "This is set in the config file. Change it there and restart Patchbay.",
  },
  link_ended: { status: 410, sentence: "This link has ended. Ask the person who sent it for another." },
  queue_full: {
    status: 429,
    sentence: "The queue of this session is full. Wait for a turn to end and try again.",
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

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

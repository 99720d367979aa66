// The errors that can end a socket, and the body of an HTTP error: all that a page needs of errors. The whole table is in errors.ts, which
// the page does not load.
import * as z from "zod/mini";

export interface ErrorKind {
  readonly status: number;
  /** The WebSocket close code, where the error can end a socket. */
  readonly close?: number;
  /** For a person; callers may say it more exactly. */
  readonly sentence: string;
}

/** With their close codes. */
export const socketErrors = {
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
  too_slow: {
    status: 408,
    close: 4408,
    sentence: "The connection is too slow. Reconnect with the number of the last frame you received.",
  },
  session_deleted: { status: 410, close: 4410, sentence: "The session was deleted." },
  too_large: { status: 413, close: 1009, sentence: "The line or body is too long." },
  too_many: { status: 429, close: 1013, sentence: "Too many requests. Wait a moment and try again." },
  internal: {
    status: 500,
    close: 1011,
    sentence: "Something went wrong in Patchbay. See the server's log for details.",
  },
  going_away: { status: 503, close: 1001, sentence: "The server is shutting down." },
} as const satisfies Record<string, ErrorKind>;

export const ErrorBody = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
export type ErrorBody = z.infer<typeof ErrorBody>;

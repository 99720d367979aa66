// The format of a provider's reply: pieces of a server-sent event stream, and errors. Each piece has the usage that it reports, so that
// the server knows what a cut call was billed.
import type { Conversation } from "./call.ts";
import type { Answer, Tokens } from "./reply.ts";

export interface Piece {
  /** frame: structure around content; delta: a piece of content; end: part of the ending. */
  kind: "frame" | "delta" | "end";
  bytes: string;
  /** The usage of the whole call as reported so far. */
  usage?: Tokens;
}

export interface Format {
  contentType: string;
  readConversation(body: unknown): Conversation;
  write(answer: Answer, body: unknown): Iterable<Piece>;
  /** The body of an error response. */
  errorBody(status: number): string;
  /** How an error is reported in the middle of a stream. */
  streamError: string;
  /** An event that a reader cannot parse. */
  malformed: string;
}

export const namedEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

export const dataEvent = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** The message of each status that tests script. */
export const errorSentence = (status: number): string =>
  ({
    400: "The request is invalid.",
    401: "The API key is invalid.",
    403: "This key may not use this model.",
    404: "There is no such model.",
    413: "The request is too large.",
    429: "Too many requests. Slow down.",
    529: "Overloaded",
  })[status] ?? "The server had an error while processing your request.";

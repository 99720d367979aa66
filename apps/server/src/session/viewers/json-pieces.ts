// Serializes a large value as JSON in pieces, with a turn of the event loop after each: a transcript may be a hundred
// megabytes, and serializing it at once would block all other viewers.
import { setImmediate as nextTurn } from "node:timers/promises";

/** A piece takes some milliseconds to make, and is large enough to be sent by itself. */
const pieceBytes = 256 * 1024;
/** Lists of messages are in the value itself, in its branches, and in the data of a response. */
const deepest = 3;

/** The same text that JSON.stringify gives for a value of plain objects and lists. */
export async function* jsonPieces(value: object): AsyncGenerator<Buffer> {
  let text = "";
  for (const part of parts(value, 0)) {
    text += part;
    if (text.length < pieceBytes) continue;
    yield Buffer.from(text);
    text = "";
    await nextTurn();
  }
  yield Buffer.from(text);
}

/** One line of a socket. */
export async function jsonLine(value: object): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of jsonPieces(value)) pieces.push(piece);
  pieces.push(Buffer.from("\n"));
  return pieces;
}

function* parts(value: unknown, depth: number): Generator<string> {
  if (depth > deepest || typeof value !== "object" || value === null) {
    yield JSON.stringify(value) ?? "null";
  } else if (Array.isArray(value)) yield* listParts(value, depth);
  else {
    let mark = "{";
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${mark}${JSON.stringify(name)}:`;
      yield* parts(field, depth + 1);
      mark = ",";
    }
    yield mark === "{" ? "{}" : "}";
  }
}

/** Serializes several items at once, as many as make about a piece: single items cost more. */
function* listParts(list: readonly unknown[], depth: number): Generator<string> {
  let mark = "[";
  for (let at = 0, count = 1; at < list.length; mark = ",") {
    if (holdsList(list[at])) {
      yield mark;
      yield* parts(list[at], depth + 1);
      at++;
      continue;
    }
    const text = JSON.stringify(list.slice(at, at + count));
    yield mark + text.slice(1, -1);
    at += count;
    count = text.length < pieceBytes / 4 ? count * 2 : Math.max(1, Math.floor(count / 2));
  }
  yield mark === "[" ? "[]" : "]";
}

/** A branch, which may be as long as the transcript. */
const holdsList = (item: unknown): boolean =>
  typeof item === "object" && item !== null && "messages" in item && Array.isArray(item.messages);

// The first hello, read and answered with plain system calls: Node's stdin and stdout streams take a
// fifth of its own start to load, and the first response would wait for them.
// Blocking is right here, because before the first command there is nothing else to do or to end.
import { readSync, writeSync } from "node:fs";
import type { Model } from "../models/catalog.ts";
import { type Gate, readHello } from "./hello.ts";

const LF = 10;
const firstReadBytes = 64 * 1024;

/** Input that was read and is still to be handled, after the hello if there was one. */
export function answerFirstHello(gate: Gate, model: Model): Uint8Array {
  const input = readFirst();
  const end = input.indexOf(LF);
  const hello = end === -1 ? null : readHello(input.subarray(0, end));
  if (hello === null) return input;
  // A response of this size fits into an empty pipe, so it is never written in part.
  writeSync(1, `${JSON.stringify(gate.answer(hello, model))}\n`);
  return input.subarray(end + 1);
}

function readFirst(): Uint8Array {
  const chunk = Buffer.allocUnsafe(firstReadBytes);
  try {
    return chunk.subarray(0, readSync(0, chunk));
  } catch {
    return new Uint8Array(0); // stdin does not block, or is closed: the stream will deal with it
  }
}

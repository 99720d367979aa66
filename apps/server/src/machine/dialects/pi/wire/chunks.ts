// omp's protocol v2 sends a frame over 1 MiB in `rpc_chunk` lines, each with a piece of it in base64. Message updates are
// not assembled: their delta is in the first piece, and the rest repeats the message so far.
import { findDelta } from "./find-delta.ts";

/** omp's own limit for an assembled frame (maxReassembledFrameBytes). */
const largestFrame = 64 * 1024 * 1024;

const head = Buffer.from('{"type":"rpc_chunk",');
export const isChunk = (line: Buffer): boolean =>
  line.length > head.length && line.compare(head, 0, head.length, 0, head.length) === 0;

/** Matches the fields before the data, which is not parsed: most pieces are skipped. */
const lead =
  /^\{"type":"rpc_chunk","chunkId":"([^"\\]{1,64})","index":(\d{1,6}),"count":(\d{1,6}),"byteLength":(\d{1,12}),"data":"/;
const longestLead = 256;

interface Chunk {
  id: string;
  index: number;
  isLast: boolean;
  /** Of the whole frame. */
  frameBytes: number;
  dataAt: number;
}

interface Assembly {
  id: string;
  next: number;
  bytes: number;
  pieces: Buffer[];
  skipped: boolean;
}

export class Chunks {
  /** omp writes one frame after the other, so one assembly is enough. */
  #assembly: Assembly | null = null;

  /** Returns the frame when it is complete, the first piece of a message update, a problem as a string, or else null. */
  push(line: Buffer): Buffer | string | null {
    const chunk = readLead(line);
    if (chunk === null) return "a piece of a frame (rpc_chunk) that cannot be read";
    const isTooLong = chunk.frameBytes > largestFrame;
    if (chunk.index === 0)
      this.#assembly = { id: chunk.id, next: 0, bytes: 0, pieces: [], skipped: isTooLong };
    const assembly = this.#assembly;
    if (assembly === null || assembly.id !== chunk.id || assembly.next !== chunk.index) {
      this.#assembly = null;
      return "a piece of a frame (rpc_chunk) out of order";
    }
    assembly.next++;
    if (chunk.isLast) this.#assembly = null;
    if (isTooLong && chunk.index === 0)
      return `a frame of ${chunk.frameBytes} bytes, which is longer than is allowed`;
    return assembly.skipped ? null : add(assembly, line, chunk);
  }
}

function add(assembly: Assembly, line: Buffer, { index, isLast, dataAt }: Chunk): Buffer | null {
  const piece = Buffer.from(line.toString("latin1", dataAt, line.lastIndexOf('"')), "base64");
  if (index === 0 && isUpdate(piece)) {
    assembly.skipped = true;
    return piece;
  }
  assembly.bytes += piece.length;
  assembly.skipped = assembly.bytes > largestFrame;
  assembly.pieces.push(piece);
  return isLast && !assembly.skipped ? Buffer.concat(assembly.pieces) : null;
}

function isUpdate(piece: Buffer): boolean {
  const finding = findDelta(piece);
  return finding !== "none" && finding !== "unclear";
}

function readLead(line: Buffer): Chunk | null {
  const found = lead.exec(line.toString("latin1", 0, longestLead));
  if (found === null) return null;
  const [whole, id = "", index, count, frameBytes] = found;
  return {
    id,
    index: Number(index),
    isLast: Number(index) + 1 === Number(count),
    frameBytes: Number(frameBytes),
    dataAt: whole.length,
  };
}

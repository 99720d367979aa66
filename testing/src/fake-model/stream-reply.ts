// Writes one reply to one call: pieces in order, with the waits, cuts and faults of the script. release() or the end of the caller's
// connection ends a wait.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Format } from "./format.ts";
import type { Answer, Reply, Tokens } from "./reply.ts";

export interface Delivery {
  response: ServerResponse;
  format: Format;
  reply: Reply;
  answer: Answer;
  body: unknown;
  /** Fulfilled by release(). */
  released: Promise<void>;
  /** Aborted when the socket closes. */
  gone: AbortSignal;
  /** Called with the usage of the whole call as reported so far. */
  bill: (usage: Tokens) => void;
  /** Called with what the provider charges if the call ends now, reported or not. */
  charge: (usage: Tokens) => void;
  /** Called when the reply waits, with all bytes before written. */
  waits: () => void;
}

/** Whether the reply is complete, or the script cuts the socket in the middle. */
export async function deliver(delivery: Delivery): Promise<"cut" | "ended"> {
  const { response, format, reply, gone } = delivery;
  if (reply.hangBefore === "headers") await waitForRelease(delivery);
  if (gone.aborted) return "ended";
  const status = reply.status ?? 200;
  if (status !== 200) {
    response.writeHead(status, { "content-type": "application/json", ...reply.headers });
    response.end(reply.body ?? format.errorBody(status));
    return "ended";
  }
  response.writeHead(200, {
    "content-type": format.contentType,
    "cache-control": "no-cache",
    ...reply.headers,
  });
  if (reply.body !== undefined) {
    response.end(reply.body);
    return "ended";
  }
  response.flushHeaders();
  if (reply.hangBefore === "first-chunk") await waitForRelease(delivery);
  const outcome = await writePieces(delivery);
  if (outcome === "ended") response.end();
  return outcome;
}

async function writePieces(delivery: Delivery): Promise<"cut" | "ended"> {
  const { format, reply, answer, body, gone } = delivery;
  const pieces = [...format.write(answer, body)];
  const total = pieces.findLast(({ usage }) => usage !== undefined)?.usage ?? answer.usage;
  const allDeltas = pieces.filter(({ kind }) => kind === "delta").length;
  /** A provider charges the tokens that it has generated, also when the caller does not get the count. */
  const charge = (generated: number): void => {
    const output = Math.ceil((total.output * generated) / Math.max(1, allDeltas));
    delivery.charge({ ...total, output: Math.max(output, Math.min(1, total.output)) });
  };
  charge(0);
  const allBytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece.bytes), 0);
  let bytes = 0;
  let deltas = 0;
  let ending = false;
  for (const piece of pieces) {
    const firstOfEnding = piece.kind === "end" && !ending;
    if (piece.kind === "delta" || firstOfEnding) {
      // "After n": before delta n+1, or before the ending of a shorter reply.
      const due = (after: number | undefined) =>
        after !== undefined && (firstOfEnding ? after >= deltas : after === deltas);
      if (due(reply.hangAfterChunks)) await waitForRelease(delivery);
      if (due(reply.cutAfterChunks)) return "cut";
      if (due(reply.errorAfterChunks)) {
        await write(delivery, format.streamError);
        return "ended";
      }
    }
    if (piece.kind === "delta") {
      if (reply.delayMs !== undefined && deltas > 0) await pause(reply.delayMs, gone);
      deltas++;
    } else if (firstOfEnding) {
      ending = true;
      if (reply.hangBefore === "end") await waitForRelease(delivery);
      if (reply.malformed === true) {
        await write(delivery, format.malformed);
        return "ended";
      }
    }
    if (gone.aborted) return "ended";
    if (piece.kind === "delta") charge(deltas);
    if (piece.kind === "end") delivery.charge(total);
    const before = bytes;
    bytes += Buffer.byteLength(piece.bytes);
    /** Where in this piece the script waits or cuts. */
    const within = (at: number | undefined): number | undefined => {
      const byte = Math.floor((at ?? 1) * allBytes);
      return byte >= before && byte < bytes ? byte - before : undefined;
    };
    const [hangAt, cutAt] = [within(reply.hangAt), within(reply.cutAt)];
    const raw = Buffer.from(piece.bytes);
    if (cutAt !== undefined) {
      await write(delivery, raw.subarray(0, cutAt));
      return "cut";
    }
    if (hangAt !== undefined) {
      await write(delivery, raw.subarray(0, hangAt));
      await waitForRelease(delivery);
      if (gone.aborted) return "ended";
    }
    if (piece.usage !== undefined) delivery.bill(piece.usage);
    await write(delivery, hangAt === undefined ? raw : raw.subarray(hangAt));
  }
  return "ended";
}

async function write({ response, gone }: Delivery, bytes: string | Uint8Array): Promise<void> {
  if (gone.aborted || response.write(bytes)) return;
  await once(response, "drain", { signal: gone }).catch(ignoreHangUp);
}

async function pause(ms: number, gone: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: gone }).catch(ignoreHangUp);
}

async function waitForRelease({ released, gone, waits }: Delivery): Promise<void> {
  if (gone.aborted) return;
  waits();
  const settled = new AbortController();
  const hungUp = once(gone, "abort", { signal: settled.signal }).catch(ignoreHangUp);
  await Promise.race([released, hungUp]);
  settled.abort();
}

/** Callers check `gone` themselves: a closed connection is an expected end. */
function ignoreHangUp(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}

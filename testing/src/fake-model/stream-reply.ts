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
  let deltas = 0;
  let ending = false;
  for (const piece of format.write(answer, body)) {
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
    if (piece.usage !== undefined) delivery.bill(piece.usage);
    await write(delivery, piece.bytes);
  }
  return "ended";
}

async function write({ response, gone }: Delivery, bytes: string): Promise<void> {
  if (gone.aborted || response.write(bytes)) return;
  await once(response, "drain", { signal: gone }).catch(ignoreHangUp);
}

async function pause(ms: number, gone: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: gone }).catch(ignoreHangUp);
}

async function waitForRelease({ released, gone }: Delivery): Promise<void> {
  if (gone.aborted) return;
  const settled = new AbortController();
  const hungUp = once(gone, "abort", { signal: settled.signal }).catch(ignoreHangUp);
  await Promise.race([released, hungUp]);
  settled.abort();
}

/** Callers check `gone` themselves: a closed connection is an expected end. */
function ignoreHangUp(error: unknown): void {
  if (!(error instanceof Error && error.name === "AbortError")) throw error;
}

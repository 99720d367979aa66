// What a test needs to know about a session beyond what one viewer was shown: its worker's process, its
// whole log, and files that processes write.

import { statSync } from "node:fs";
import type { RunningServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { waitUntil } from "@patchbay/testing/wait-until";
import { attach } from "../support/actor.ts";

/** Resolves when the file has content (it is empty between its writer's open and write); the test's own
 * timeout is the limit. */
export async function fileWritten(path: string): Promise<void> {
  await waitUntil(() => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0);
}

/** Every frame the log has, by number; only for sessions whose log still begins at 1. */
export async function wholeLog(server: RunningServer, session: string): Promise<string[]> {
  await using reader = await attach(server, session, { since: 0 });
  if (reader.lines.find((line) => line.type === "attached")?.["verdict"] !== "replay")
    throw new Error("the log no longer begins at 1");
  return reader.frames;
}

/** The process of the session's ready worker. */
export async function readyWorker(server: RunningServer, viewer: TestViewer): Promise<number> {
  await viewer.state("idle", "busy", "waiting");
  const log = await wholeLog(server, String(viewer.session?.id));
  const ready = log.findLast((frame) => frame.includes('"event":"ready"')) ?? "{}";
  return (JSON.parse(ready) as { pid: number }).pid;
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Printed, so that a failure can be repeated with PATCHBAY_TEST_SEED. */
export function newSeed(): number {
  const seed = Number(process.env["PATCHBAY_TEST_SEED"] ?? Date.now() % 2 ** 31);
  console.log(`PATCHBAY_TEST_SEED=${seed}`);
  return seed;
}

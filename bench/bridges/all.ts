// The bridges that can be compared on this machine, and why one cannot.
import { compiler, versionOf } from "../native.ts";
import type { Bridge } from "./bridge.ts";
import { cWithLog } from "./c-log.ts";
import { type Patchbay, patchbay } from "./patchbay.ts";
import { barePipe } from "./pipe.ts";
import { websocketd } from "./websocketd.ts";
import { wsLines } from "./ws-lines.ts";

export interface Bridges extends AsyncDisposable {
  all: readonly Bridge[];
  patchbay: Patchbay;
}

export async function startBridges(say: (sentence: string) => void): Promise<Bridges> {
  const all: Bridge[] = [];
  const end = async () => {
    for (const bridge of all.toReversed()) await bridge[Symbol.asyncDispose]();
  };
  try {
    all.push(barePipe());
    if (versionOf("websocketd", "--version") === undefined) {
      say("websocketd is left out: it is not installed (Debian: apt-get install websocketd)");
    } else {
      all.push(await websocketd("text"));
      all.push(await websocketd("binary"));
    }
    if (compiler !== undefined) all.push(await cWithLog());
    all.push(await wsLines());
    const ours = await patchbay();
    all.push(ours);
    return { all, patchbay: ours, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end(); // those that did start
    throw error;
  }
}

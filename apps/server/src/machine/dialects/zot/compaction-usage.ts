// What compactions of zot cost: it does not say, though each was a call to its model. A usage that says so is put before
// the end of each, so that none looks as if it had been free. Nothing else that comes is touched or even read.
import { frameBounds, linesOf, noUsage, readJson } from "@patchbay/protocol";
import * as z from "zod/mini";

/** Whether the worker tells it itself is known from its hello: zot's names no capabilities. */
type State = "not greeted" | "tells" | "idle" | "compacting";

const Line = z.looseObject({
  type: z.string(),
  command: z.optional(z.string()),
  success: z.optional(z.boolean()),
  message: z.optional(z.string()),
  data: z.optional(z.unknown()),
});
type Line = z.infer<typeof Line>;

const unknown = { type: "usage", ...noUsage, unpriced: 1, incomplete: true, purpose: "compaction" };
const unknownLine = Buffer.from(`${JSON.stringify(unknown)}\n`);

export class ZotCompactions {
  #state: State = "not greeted";

  /** A command is sent. */
  sent({ type }: { type: string }): void {
    if (type === "compact" && this.#state === "idle") this.#state = "compacting";
  }

  /** The same run, or one with a line more. */
  read(run: Uint8Array): Uint8Array {
    if (this.#state === "idle" || this.#state === "tells") return run;
    for (const line of linesOf(run)) {
      const frame = parse(line);
      if (frame !== null && this.#ends(frame)) return withUnknown(run, line.byteOffset - run.byteOffset);
    }
    return run;
  }

  /** True: a compaction is over, and nobody will say what it used. */
  #ends({ type, command, success, message, data }: Line): boolean {
    if (this.#state === "not greeted") {
      const greeted = type === "response" && command === "hello" && success === true;
      if (greeted) this.#state = Object(data).capabilities === undefined ? "idle" : "tells";
    } else if (this.#state === "compacting") {
      switch (type) {
        case "usage":
          this.#state = "tells";
          break;
        case "compact_done":
          this.#state = "idle";
          return true;
        case "error":
          this.#state = "idle";
          return message === "empty summary from model"; // else there was nothing to sum up, or the call failed
        case "response":
          // It says nothing more about one that was stopped.
          if (command === "abort" || (command === "compact" && success !== true)) this.#state = "idle";
          return command === "abort";
        default:
      }
    }
    return false;
  }
}

const withUnknown = (run: Uint8Array, at: number): Uint8Array =>
  Buffer.concat([run.subarray(0, at), unknownLine, run.subarray(at)]);

/** Null: noise, which is reported where the run is sorted. */
function parse(line: Uint8Array): Line | null {
  const json = readJson(new TextDecoder().decode(line), frameBounds);
  return json.ok ? (Line.safeParse(json.value).data ?? null) : null;
}

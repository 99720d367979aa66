// zot does not report what a compaction cost, though each is a call of its model. An unpriced usage frame is inserted
// before the end of each compaction, so that none counts as free. No other line is changed or parsed.
import { frameBounds, linesOf, noUsage, readJson } from "@patchbay/protocol";
import * as z from "zod/mini";

/** `reports`: the worker reports the costs itself. Its hello shows that: zot's names no capabilities. */
type State = "not greeted" | "reports" | "idle" | "compacting";

const Line = z.looseObject({
  type: z.string(),
  command: z.optional(z.string()),
  success: z.optional(z.boolean()),
  message: z.optional(z.string()),
  data: z.optional(z.unknown()),
});
type Line = z.infer<typeof Line>;

const unpriced = { type: "usage", ...noUsage, unpriced: 1, incomplete: true, purpose: "compaction" };
const unpricedLine = Buffer.from(`${JSON.stringify(unpriced)}\n`);

export class CompactionUsage {
  #state: State = "not greeted";
  readonly #onHello: (data: unknown) => void;

  /** `onHello` takes the data of the worker's hello. */
  constructor(onHello: (data: unknown) => void) {
    this.#onHello = onHello;
  }

  commandSent({ type }: { type: string }): void {
    if (type === "compact" && this.#state === "idle") this.#state = "compacting";
  }

  /** Returns the same run, or one with a usage line inserted. */
  complete(run: Uint8Array): Uint8Array {
    if (this.#state === "idle" || this.#state === "reports") return run;
    for (const line of linesOf(run)) {
      const frame = parse(line);
      if (frame !== null && this.#endsUnreported(frame))
        return insertUnpriced(run, line.byteOffset - run.byteOffset);
    }
    return run;
  }

  /** True when a compaction is over and the worker will not report its usage. */
  #endsUnreported({ type, command, success, message, data }: Line): boolean {
    if (this.#state === "not greeted") {
      const greeted = type === "response" && command === "hello" && success === true;
      if (!greeted) return false;
      this.#state = Object(data).capabilities === undefined ? "idle" : "reports";
      this.#onHello(data);
    } else if (this.#state === "compacting") {
      switch (type) {
        case "usage":
          this.#state = "reports";
          break;
        case "compact_done":
          this.#state = "idle";
          return true;
        case "error":
          this.#state = "idle";
          return message === "empty summary from model"; // else there was nothing to sum up, or the call failed
        case "response":
          // After an abort zot writes nothing more about the compaction.
          if (command === "abort" || (command === "compact" && success !== true)) this.#state = "idle";
          return command === "abort";
        default:
      }
    }
    return false;
  }
}

const insertUnpriced = (run: Uint8Array, at: number): Uint8Array =>
  Buffer.concat([run.subarray(0, at), unpricedLine, run.subarray(at)]);

/** Null: noise, which is reported where the run is sorted. */
function parse(line: Uint8Array): Line | null {
  const json = readJson(new TextDecoder().decode(line), frameBounds);
  return json.ok ? (Line.safeParse(json.value).data ?? null) : null;
}

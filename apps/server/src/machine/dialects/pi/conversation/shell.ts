// Shell commands of a person. Only pi ≥ 1 streams their output; the others send all of it in the response.
import type { WorkerBound } from "../../dialect.ts";
import type { TypedFrameWriter } from "../../frame-writer.ts";
import { errorOf, type PiClient } from "../wire/rpc-client.ts";
import { toBashEnd } from "../wire/simple-commands.ts";

export class Shell {
  readonly #out: TypedFrameWriter;
  readonly #client: PiClient;
  /** Running commands, by the id of their request. */
  readonly #running = new Set<string>();

  constructor(out: TypedFrameWriter, client: PiClient) {
    this.#out = out;
    this.#client = client;
  }

  start(command: WorkerBound): void {
    const text = command["command"];
    if (typeof text !== "string" || text.trim() === "")
      return this.#out.respond(command, { error: "The command is empty. Enter a command to run." });
    const id = this.#client.request({ type: "bash", command: text }, (response) => {
      this.#running.delete(id);
      const result = response.success
        ? toBashEnd(response.data)
        : { output: errorOf(response), exit_code: null, cancelled: false, truncated: false };
      this.#out.batch(() => {
        this.#out.frame({ type: "bash_end", id, command: text, ...result, time: now() });
        this.#out.respond(command, response.success ? { data: result } : { error: errorOf(response) });
      });
    });
    this.#running.add(id);
    this.#out.frame({ type: "bash_start", id, command: text, time: now() });
  }

  output(id: string, text: string): void {
    if (this.#running.has(id)) this.#out.frame({ type: "bash_output", id, text });
  }
}

const now = (): string => new Date().toISOString();

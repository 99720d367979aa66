// A person's own command: the bash tool's runner, but its output goes to the person as it comes and to the
// model with the next call. One at a time; it may run beside a turn, and ends with the worker.
import { randomBytes } from "node:crypto";
import { stripVTControlCharacters } from "node:util";
import type { BashEndEvent } from "@patchbay/protocol";
import type { Service } from "../features/contributions.ts";
import type { WorkerOutput } from "../output/worker-output.ts";
import type { CreateToolContext } from "../tools/tool-context.ts";
import type { AbortCause } from "./prompts/turn-queue.ts";

/** As omp answers `bash`. */
export interface PersonBashResult {
  readonly output: string;
  readonly exitCode?: number;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly fullOutputPath?: string;
}

export class PersonBash implements Service {
  readonly #output: WorkerOutput;
  readonly #toolContext: CreateToolContext;
  #running: { readonly stop: AbortController; readonly over: Promise<unknown> } | null = null;

  constructor(output: WorkerOutput, toolContext: CreateToolContext) {
    this.#output = output;
    this.#toolContext = toolContext;
  }

  get running(): boolean {
    return this.#running !== null;
  }

  /** Rejects when the shell cannot be started; the frames have the error, too. */
  async run(command: string): Promise<PersonBashResult> {
    if (this.#running !== null) throw new Error("another command is running; stop it with abort_bash first");
    const stop = new AbortController();
    const over = this.#execute(command, stop.signal);
    this.#running = { stop, over };
    try {
      return await over;
    } finally {
      this.#running = null;
    }
  }

  abort(cause: AbortCause = "abort"): void {
    this.#running?.stop.abort(cause);
  }

  /** Resolves when no command is running. */
  async idle(): Promise<void> {
    await this.#running?.over.catch(() => {}); // the caller of run gets the rejection
  }

  async open(): Promise<void> {}

  async close(): Promise<void> {
    this.abort("shutdown");
    await this.idle();
  }

  async #execute(command: string, signal: AbortSignal): Promise<PersonBashResult> {
    const output = this.#output;
    const id = randomBytes(6).toString("hex");
    const now = (): string => new Date().toISOString();
    output.write({ type: "bash_start", id, command, time: now() });
    const end = (result: PersonBashResult): PersonBashResult => {
      output.write(endFrame(id, command, result, now()));
      return result;
    };
    const progress = (text: string): Promise<void> | undefined => {
      output.write({ type: "bash_output", id, text });
      return output.ready();
    };
    try {
      const { runShell } = await import("../tools/shell/shell.ts");
      const context = this.#toolContext(signal, progress);
      const { cause, code, text, file, cut } = await runShell(command, 0, context);
      return end({
        output: stripVTControlCharacters(text),
        ...(cause === "exit" && code !== null ? { exitCode: code } : {}),
        cancelled: cause !== "exit",
        truncated: cut,
        ...(file === null ? {} : { fullOutputPath: file }),
      });
    } catch (error) {
      end({
        output: error instanceof Error ? error.message : String(error),
        cancelled: true,
        truncated: false,
      });
      throw error;
    }
  }
}

const endFrame = (id: string, command: string, result: PersonBashResult, time: string): BashEndEvent => ({
  type: "bash_end",
  id,
  command,
  output: result.output,
  exit_code: result.exitCode ?? null,
  cancelled: result.cancelled,
  truncated: result.truncated,
  ...(result.fullOutputPath === undefined ? {} : { full_output_path: result.fullOutputPath }),
  time,
});

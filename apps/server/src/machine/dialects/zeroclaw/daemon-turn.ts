// One turn at the daemon: converts its updates to frames and ends it when its costs are known. The first event that ends the
// turn counts: `turn_complete`, an error instead of it, or a broken connection.
import type { ContentBlock } from "@patchbay/protocol";
import { TurnFrames } from "../acp/turn/turn-frames.ts";
import type { OutputFrame } from "../frame-writer.ts";
import type { ApprovalRequest } from "./approvals.ts";
import { type DaemonUpdate, TurnComplete } from "./schemas.ts";
import type { DaemonTurnCosts } from "./turn-costs.ts";
import { DaemonTools } from "./updates.ts";

type Stop = "end" | "aborted" | "error";

interface DaemonTurnOptions {
  emit(...frames: OutputFrame[]): void;
  costs: DaemonTurnCosts;
  /** Returns what a person should read of the daemon's sentence about a failure. Never rejects. */
  explain(sentence: string, since: number): Promise<string>;
  /** Called before the last frames. */
  onEnd(): void;
}

export class DaemonTurn {
  /** Resolves when everything has been emitted, costs included. */
  readonly over: Promise<void>;
  readonly #options: DaemonTurnOptions;
  readonly #frames: TurnFrames;
  readonly #tools: DaemonTools;
  readonly #startedAt = Date.now();
  /** A person has stopped it: it asks no more questions. */
  isCancelled = false;
  #state: "running" | "settling" | "over" = "running";
  #hasText = false;
  /** The worker is being closed, and the server ends the turn itself: an end from here would start the next queued prompt. */
  #isAbandoned = false;
  #resolve: () => void = () => {};

  constructor(options: DaemonTurnOptions, content: readonly ContentBlock[]) {
    this.#options = options;
    this.#frames = new TurnFrames({ emit: options.emit, terminal: () => "" }, content);
    this.#tools = new DaemonTools(this.#frames);
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** False as soon as the daemon has reported the end; the costs may still be missing. */
  get isRunning(): boolean {
    return this.#state === "running";
  }

  update(update: DaemonUpdate): void {
    if (this.#state !== "running") return;
    switch (update.type) {
      case "turn_complete": {
        const { outcome, content } = TurnComplete.safeParse(update).data ?? {
          outcome: "failed",
          content: "",
        };
        if (outcome === "completed" && !this.#hasText && content !== "") this.#addText("text", content);
        if (outcome === "cancelled") return this.finish("aborted");
        return outcome === "completed" ? this.finish("end") : this.finish("error", content);
      }
      case "context_usage":
        return this.#options.costs.callEnds(update);
      case "agent_message_chunk":
        this.#hasText = true;
        return this.#addText("text", update["text"]);
      case "agent_thought_chunk":
        return this.#addText("thinking", update["text"]);
      default:
        if (update.type === "tool_call") this.#options.costs.toolCalled();
        return this.#tools.update(update);
    }
  }

  /** The call waits for a person. */
  asks(request: ApprovalRequest): void {
    this.#options.costs.toolCalled();
    this.#tools.asked(request);
  }

  finish(stop: Stop, error?: string): void {
    if (this.#state !== "running") return;
    this.#state = "settling";
    const explained = error === undefined ? undefined : this.#options.explain(error, this.#startedAt);
    // Neither rejects.
    void Promise.all([this.#options.costs.settle(), explained]).then(([usage, cause]) =>
      this.#end(stop, usage, cause),
    );
  }

  /** Ends a running turn whose connection broke. A turn that is settling only loses its costs and ends as it was. */
  cut(error: string): void {
    if (this.#state === "running") this.#end("error", this.#options.costs.cut(), error);
  }

  abandon(): void {
    this.#isAbandoned = true;
  }

  /** Ends without emitting anything: the worker is gone. */
  close(): void {
    this.#state = "over";
    this.#options.costs.close();
    this.#resolve();
  }

  #addText(kind: "text" | "thinking", text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    this.#options.costs.callStreams();
    this.#frames.text(kind, text);
  }

  #end(stop: Stop, usage: readonly OutputFrame[], error?: string): void {
    if (this.#state === "over") return;
    this.#state = "over";
    if (!this.#isAbandoned) {
      this.#options.onEnd();
      this.#tools.end();
      this.#frames.end(stop, usage, error);
    } else if (usage.length > 0) this.#options.emit(...usage);
    this.#resolve();
  }
}

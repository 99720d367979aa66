// One turn at the daemon: its updates as frames of ours, and its end, which waits for what the turn has cost. The first
// thing that ends it counts: `turn_complete`, an error instead of it, or a connection that broke.
import type { ContentBlock } from "@patchbay/protocol";
import { Turn } from "../acp/turn/turn-frames.ts";
import type { OwnFrame } from "../frame-output.ts";
import { Finished, type Update } from "./schemas.ts";
import type { TurnCosts } from "./turn-costs.ts";
import { tellTools } from "./updates.ts";

type Stop = "end" | "aborted" | "error";

interface DaemonTurnOptions {
  emit(...frames: OwnFrame[]): void;
  costs: TurnCosts;
  /** Before its last frames. */
  ended(): void;
}

export class DaemonTurn {
  /** Everything was told, costs included. */
  readonly over: Promise<void>;
  readonly #options: DaemonTurnOptions;
  readonly #frames: Turn;
  #state: "running" | "settling" | "over" = "running";
  #hasSpoken = false;
  /** Its worker is being ended, and that ends the turn: what waits must not begin. */
  #isLeft = false;
  #resolve: () => void = () => {};

  constructor(options: DaemonTurnOptions, content: readonly ContentBlock[]) {
    this.#options = options;
    this.#frames = new Turn({ emit: options.emit, terminal: () => "" }, content);
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** As far as the daemon has told. */
  get isRunning(): boolean {
    return this.#state === "running";
  }

  update(update: Update): void {
    if (this.#state !== "running") return;
    switch (update.type) {
      case "turn_complete": {
        const { outcome, content } = Finished.safeParse(update).data ?? { outcome: "failed", content: "" };
        if (outcome === "completed" && !this.#hasSpoken && content !== "") this.#speak("text", content);
        if (outcome === "cancelled") return this.finish("aborted");
        return outcome === "completed" ? this.finish("end") : this.finish("error", content);
      }
      case "context_usage":
        return this.#options.costs.note(update);
      case "agent_message_chunk":
        this.#hasSpoken = true;
        return this.#speak("text", update["text"]);
      case "agent_thought_chunk":
        return this.#speak("thinking", update["text"]);
      default:
        return tellTools(this.#frames, update);
    }
  }

  finish(stop: Stop, error?: string): void {
    if (this.#state !== "running") return;
    this.#state = "settling";
    void this.#options.costs.settle().then((usage) => this.#end(stop, usage, error)); // never rejects
  }

  /** What it does from now on is not heard. One that was over is only not told its costs, and ends as it did. */
  cut(error: string): void {
    if (this.#state === "running") this.#end("error", this.#options.costs.cut(), error);
  }

  leave(): void {
    this.#isLeft = true;
  }

  /** Nobody is there to be told anything. */
  close(): void {
    this.#state = "over";
    this.#options.costs.close();
    this.#resolve();
  }

  #speak(kind: "text" | "thinking", text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    this.#options.costs.speaks();
    this.#frames.text(kind, text);
  }

  #end(stop: Stop, usage: readonly OwnFrame[], error?: string): void {
    if (this.#state === "over") return;
    this.#state = "over";
    if (!this.#isLeft) {
      this.#options.ended();
      this.#frames.end(stop, usage, error);
    } else if (usage.length > 0) this.#options.emit(...usage);
    this.#resolve();
  }
}

// A compaction that a person asked for: the agent's own slash command for it, whose words are the summary and no answer.
import type { WorkerBound } from "../../dialect.ts";
import type { FrameOutput, OutputFrame } from "../../frame-output.ts";
import { problemOf, words } from "../wire/agent-errors.ts";
import type { Wire } from "../wire/rpc-client.ts";
import type { AgentSession } from "./agent-session.ts";

export class Compaction {
  #text = "";

  hear(text: string): void {
    this.#text += text;
  }

  async run(wire: Wire, session: AgentSession, out: FrameOutput, command: WorkerBound): Promise<void> {
    const name = session.compactCommand;
    if (name === undefined)
      return out.respond(command, { error: "This agent has no command to compact its context." });
    out.respond(command, { data: { started: true } });
    const end = await this.#end(wire, session.id, name);
    // Before its end: what comes after that is another turn's.
    out.frame(...session.usage("compaction"), ...end, { type: "done" });
  }

  async #end(wire: Wire, sessionId: string, name: string): Promise<OutputFrame[]> {
    try {
      const prompt = [{ type: "text" as const, text: `/${name}` }];
      const { stopReason } = await wire.request("session/prompt", { sessionId, prompt });
      const problem = problemOf(stopReason);
      if (problem !== undefined) return [{ type: "error", message: problem }];
      return stopReason === "cancelled" ? [] : [{ type: "compact_done", summary: this.#summary }];
    } catch (error) {
      return [{ type: "error", message: words(error) }];
    }
  }

  get #summary(): string {
    return this.#text.trim() || "The agent has compacted its context, and did not say what it kept.";
  }
}

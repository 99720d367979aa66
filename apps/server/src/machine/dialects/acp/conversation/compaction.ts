// A compaction that a person asked for. It runs the agent's own slash command; the text that the agent sends meanwhile is the
// summary and not an answer.
import type { WorkerBound } from "../../dialect.ts";
import type { FrameWriter, OutputFrame } from "../../frame-writer.ts";
import { errorText, problemOf } from "../wire/agent-errors.ts";
import type { AcpClient } from "../wire/rpc-client.ts";
import type { AgentSession } from "./agent-session.ts";

export class Compaction {
  #text = "";

  addText(text: string): void {
    this.#text += text;
  }

  async run(client: AcpClient, session: AgentSession, out: FrameWriter, command: WorkerBound): Promise<void> {
    const name = session.compactCommand;
    if (name === undefined)
      return out.respond(command, { error: "This agent has no command to compact its context." });
    out.respond(command, { data: { started: true } });
    const end = await this.#end(client, session.id, name);
    // Usage comes before `done`: frames after it belong to the next turn.
    out.frame(...session.usage("compaction"), ...end, { type: "done" });
  }

  async #end(client: AcpClient, sessionId: string, name: string): Promise<OutputFrame[]> {
    try {
      const prompt = [{ type: "text" as const, text: `/${name}` }];
      const { stopReason } = await client.request("session/prompt", { sessionId, prompt });
      const problem = problemOf(stopReason);
      if (problem !== undefined) return [{ type: "error", message: problem }];
      return stopReason === "cancelled" ? [] : [{ type: "compact_done", summary: this.#summary }];
    } catch (error) {
      return [{ type: "error", message: errorText(error) }];
    }
  }

  get #summary(): string {
    return this.#text.trim() || "The agent compacted its context without a summary.";
  }
}

// A compaction that a person asked for. It runs the agent's own slash command; the text that the agent sends meanwhile is the
// summary and not an answer.
import type { WorkerBound } from "../../dialect.ts";
import type { FrameWriter, OutputFrame } from "../../frame-writer.ts";
import { errorText, problemOf } from "../wire/agent-errors.ts";
import type { AcpClient } from "../wire/rpc-client.ts";
import { type ModelFigures, readFigures } from "../wire/turn-figures.ts";
import type { AgentSession } from "./agent-session.ts";

export class Compaction {
  #text = "";
  #isStopped = false;

  addText(text: string): void {
    this.#text += text;
  }

  /** A person has stopped it: its model call has begun nonetheless. */
  stop(): void {
    this.#isStopped = true;
  }

  async run(client: AcpClient, session: AgentSession, out: FrameWriter, command: WorkerBound): Promise<void> {
    const name = session.compactCommand;
    if (name === undefined)
      return out.respond(command, { error: "This agent has no command to compact its context." });
    out.respond(command, { data: { started: true } });
    session.promptStarts();
    const { figures, frames } = await this.#end(client, session.id, name);
    const usage = session.charge({
      ...{ figures, purpose: "compaction", calls: 1 },
      // A model writes the summary, also where the command is refused later.
      ...{
        isCommand: false,
        isAnswered: frames.some(({ type }) => type === "compact_done"),
        isStopped: this.#isStopped,
      },
    });
    // Usage comes before `done`: frames after it belong to the next turn.
    out.frame(...usage, ...frames, { type: "done" });
  }

  async #end(
    client: AcpClient,
    sessionId: string,
    name: string,
  ): Promise<{ figures: ModelFigures[] | undefined; frames: OutputFrame[] }> {
    try {
      const prompt = [{ type: "text" as const, text: `/${name}` }];
      const response = await client.request("session/prompt", { sessionId, prompt });
      const figures = readFigures(response);
      const problem = problemOf(response.stopReason);
      if (problem !== undefined) return { figures, frames: [{ type: "error", message: problem }] };
      const isCancelled = response.stopReason === "cancelled";
      return { figures, frames: isCancelled ? [] : [{ type: "compact_done", summary: this.#summary }] };
    } catch (error) {
      return { figures: undefined, frames: [{ type: "error", message: errorText(error) }] };
    }
  }

  get #summary(): string {
    return this.#text.trim() || "The agent compacted its context without a summary.";
  }
}

// Converts the updates that only add to what is shown: tool calls, and a notice when the agent's history was trimmed.
import type { TurnFrames } from "../acp/turn/turn-frames.ts";
import type { OutputFrame } from "../frame-writer.ts";
import { type ApprovalRequest, denied } from "./approvals.ts";
import { type DaemonUpdate, HistoryTrimmed } from "./schemas.ts";

const kindOf = (tool: string): string => (tool === "shell" ? "execute" : "other");

/** The tool calls of a turn. A call that needs an approval is shown from the request on, under the request's id. */
export class DaemonTools {
  readonly #frames: TurnFrames;
  /** Requests whose call the daemon has not reported yet, in the order of their calls. */
  #asked: ApprovalRequest[] = [];
  /** The shown ids of calls that were asked for. */
  readonly #shown = new Map<string, string>();

  constructor(frames: TurnFrames) {
    this.#frames = frames;
  }

  asked(request: ApprovalRequest): void {
    const { request_id, tool_name: name } = request;
    this.#asked.push(request);
    this.#frames.tool({ toolCallId: request_id, name, kind: kindOf(name), status: "pending" });
  }

  update(update: DaemonUpdate): void {
    const id = String(update["tool_call_id"]);
    switch (update.type) {
      case "tool_call": {
        const name = String(update["name"]);
        const toolCallId = this.#claim(id, name, update["raw_input"]);
        const rawInput = withoutApproved(update["raw_input"]);
        return this.#frames.tool({ toolCallId, name, kind: kindOf(name), status: "in_progress", rawInput });
      }
      case "tool_result": {
        const toolCallId = this.#shown.get(id) ?? id;
        const rawOutput = update["raw_output"];
        // The daemon has no flag for a failure: its texts begin alike.
        const isDenied = typeof rawOutput === "string" && rawOutput.startsWith(denied);
        const failed = isDenied || (typeof rawOutput === "string" && rawOutput.startsWith("Error:"));
        const call = this.#frames.call(toolCallId);
        if (isDenied && call !== undefined) call.isRefused = true;
        return this.#frames.tool({ toolCallId, status: failed ? "failed" : "completed", rawOutput });
      }
      default: // an update of a newer daemon
    }
  }

  /** The turn ends: calls that still wait are shown with what is known of their arguments. */
  end(): void {
    for (const { request_id, tool_name, arguments_summary } of this.#asked.splice(0))
      this.#frames.tool({
        toolCallId: request_id,
        rawInput: tool_name === "shell" ? commandIn(arguments_summary) : { summary: arguments_summary },
      });
  }

  /** The id under which a call is shown. All requests of a step come in the order of its calls and before the first of them. */
  #claim(id: string, name: string, input: unknown): string {
    const sameName = this.#asked.filter(({ tool_name }) => tool_name === name);
    const sameInput = sameName.filter(({ arguments_summary }) => summarizes(arguments_summary, input));
    const request = sameInput[0] ?? (sameName.length === 1 ? sameName[0] : undefined);
    if (request === undefined) return id;
    this.#asked = this.#asked.filter((other) => other !== request);
    this.#shown.set(id, request.request_id);
    return request.request_id;
  }
}

/** The whole summary, where it is not that of a command alone. */
const commandIn = (summary: string): object =>
  summary.startsWith("command: ") ? { command: summary.slice("command: ".length) } : { summary };

/** Whether each short text of the input is in the summary. Longer ones are cut there, and secrets redacted. */
function summarizes(summary: string, input: unknown): boolean {
  const texts = Object.entries(Object(input)).filter(([, value]) => typeof value === "string");
  return texts.every(
    ([key, value]) => String(value).length >= maxSummarized || summary.includes(`${key}: ${String(value)}`),
  );
}

/** The daemon cuts longer values of a summary. */
const maxSummarized = 80;

/** `approved` is no argument of the model's: the daemon adds it for itself. */
function withoutApproved(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const { approved, ...rest } = Object.fromEntries(Object.entries(input));
  return typeof approved === "boolean" ? rest : input;
}

export function trimmedNotice(update: DaemonUpdate): OutputFrame[] {
  const { data } = HistoryTrimmed.safeParse(update);
  if (data === undefined) return [];
  const { dropped_messages: dropped, kept_turns: kept, reason } = data;
  const why = reason === "" ? "" : ` (${reason})`;
  const message = `The agent no longer remembers ${dropped === 1 ? "its oldest message" : `its ${dropped} oldest messages`}${why}; the last ${kept === 1 ? "turn is" : `${kept} turns are`} kept.`;
  return [{ type: "ext_notify", extension: "zeroclaw", level: "warn", message }];
}

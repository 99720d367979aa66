// What the scripted zeroclaw daemon does for a prompt: its first word says. Updates come in the daemon's order, a call's
// `context_usage` after what it said and before its tools.
import { randomUUID } from "node:crypto";
import { type Outcome, play } from "./zeroclaw-player.ts";

export interface Stage {
  /** To whoever sent the prompt. */
  update(type: string, fields: object): void;
  /** To whoever opened the session last; the decision, `expired` or `cancelled`. */
  ask(seconds: number): Promise<string>;
  /** A model call is over: it is in the books, and its size is told. */
  called(tokens: number): void;
  /** Somebody has asked what was spent. */
  costsAsked(): Promise<unknown>;
  cancelled: Promise<unknown>;
  /** Somebody waits for the turn's end to close the session. */
  closing: Promise<unknown>;
  /** What the session was told so far. */
  remembered: readonly string[];
}

const stopped: Outcome = { outcome: "cancelled", content: "turn cancelled via client_rpc in RPC_SESSION" };
const ended = (content: string): Outcome => ({ outcome: "completed", content });

export async function act(prompt: string, stage: Stage): Promise<Outcome> {
  const { update, called, cancelled } = stage;
  const [word = "", ...words] = prompt.split(" ");
  const rest = words.join(" ");
  const say = (text: string) => update("agent_message_chunk", { text });
  switch (word) {
    case "play":
      return play(prompt, stage);
    case "late": // the cancel that it began with was refused
    case "hang":
      say("waiting");
      await cancelled;
      return stopped;
    case "slow": // takes long to unwind
      say("waiting");
      await cancelled;
      await stage.closing;
      return stopped;
    case "burst": // the same, faster than anybody can ask what a call has cost
    case "work": // a call, a tool, another call of the same size, and a third that never ends
      for (const command of ["one", "two"]) {
        say(command);
        const asked = stage.costsAsked();
        called(1200);
        update("tool_call", { tool_call_id: command, name: "shell", raw_input: { command } });
        if (word === "work") await asked;
        update("tool_result", { tool_call_id: command, name: "shell", raw_output: command });
      }
      say("three");
      await cancelled;
      return stopped;
    case "fail":
      return { outcome: "failed", content: "turn failed: 401 wrong key" };
    case "break": // in the middle of an answer
      say("Well");
      return { outcome: "failed", content: "turn failed: the provider went away" };
    case "silent":
      return ended(rest);
    case "trim":
      update("history_trimmed", { dropped_messages: 12, kept_turns: 3, reason: "context_limit" });
      break;
    case "ask": {
      const decision = await stage.ask(120);
      if (decision === "cancelled") return stopped;
      const raw_input = { command: "make deploy", approved: true };
      update("tool_call", { tool_call_id: "t", name: "shell", raw_input });
      update("tool_result", { tool_call_id: "t", name: "shell", raw_output: decision });
      break;
    }
    case "recall":
      say(stage.remembered.join(", "));
      break;
    case "say":
      update("agent_thought_chunk", { text: "Hm." });
      say(rest);
      break;
    default:
  }
  const entries = [{ content: "Look", status: "completed", priority: "high", activeForm: "Looking" }];
  update("plan", { entries });
  update("something_newer", { field: randomUUID() });
  say(".");
  called(1200);
  return ended(".");
}

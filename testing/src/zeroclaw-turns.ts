// The turns of the scripted zeroclaw daemon. The first word of a prompt selects one. Updates come in the daemon's order: the
// `context_usage` of a call after its text and before its tools.
import { randomUUID } from "node:crypto";
import { playScene } from "./zeroclaw-scenes.ts";
import { isCancelled, modelFailure, type Outcome, playApproved, type TurnContext } from "./zeroclaw-turn.ts";

const stopped: Outcome = { outcome: "cancelled", content: "turn cancelled via client_rpc in RPC_SESSION" };
const ended = (content: string): Outcome => ({ outcome: "completed", content });

export async function runTurn(prompt: string, context: TurnContext): Promise<Outcome> {
  const { update, called, cancelled } = context;
  const [word = "", ...words] = prompt.split(" ");
  const rest = words.join(" ");
  const sendText = (text: string) => update("agent_message_chunk", { text });
  switch (word) {
    case "play":
      return playScene(prompt, context);
    case "late": // the first cancel was refused
    case "hang":
      sendText("waiting");
      await cancelled;
      return stopped;
    case "slow": // takes long to unwind
      sendText("waiting");
      await cancelled;
      await context.closing;
      return stopped;
    case "burst": // as "work", but it does not wait for requests of the costs
    case "work": // a call, a tool, another call of the same size, and a third that never ends
      for (const command of ["one", "two"]) {
        sendText(command);
        const asked = context.costsAsked();
        called(1200);
        update("tool_call", { tool_call_id: command, name: "shell", raw_input: { command } });
        if (word === "work") await asked;
        update("tool_result", { tool_call_id: command, name: "shell", raw_output: command });
      }
      sendText("three");
      await cancelled;
      return stopped;
    case "fail":
      return modelFailure(context);
    case "break": // in the middle of an answer
      sendText("Well");
      return { outcome: "failed", content: "turn failed: the provider went away" };
    case "silent":
      return ended(rest);
    case "trim":
      update("history_trimmed", { dropped_messages: 12, kept_turns: 3, reason: "context_limit" });
      break;
    case "ask": {
      const approval = await context.ask(120);
      if (approval.decision === "cancelled" || (await isCancelled(cancelled))) return stopped;
      playApproved(approval, update);
      break;
    }
    case "choose": {
      const tool = { tool_call_id: randomUUID(), name: "ask_user" };
      const oneOf = ["main", "dev"].map((title, index) => ({ const: `choice-${index}`, title }));
      const requestedSchema = {
        type: "object",
        properties: { choice: { type: "string", title: "Choice", oneOf } },
        required: ["choice"],
      };
      update("tool_call", { ...tool, raw_input: { question: "Which branch?", channel: "rpc" } });
      const answer = await context.elicit({ message: "Which branch?", requestedSchema });
      const raw_output =
        answer === undefined
          ? "Error: Channel 'rpc' did not complete the structured choice (user cancelled/declined, or the channel has no free-form fallback)."
          : JSON.stringify(answer);
      update("tool_result", { ...tool, raw_output });
      break;
    }
    case "recall":
      sendText(context.history.join(", "));
      break;
    case "say":
      update("agent_thought_chunk", { text: "Hm." });
      sendText(rest);
      break;
    default:
  }
  const entries = [{ content: "Look", status: "completed", priority: "high", activeForm: "Looking" }];
  update("plan", { entries });
  update("something_newer", { field: randomUUID() });
  sendText(".");
  called(1200);
  return ended(".");
}

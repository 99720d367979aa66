// Plays the scenes of the conformance suite in the scripted zeroclaw daemon.
import { randomUUID } from "node:crypto";
import { outputOf, piecesOf, sceneIn } from "../workers/scene.mjs";
import { isCancelled, modelFailure, type Outcome, playApproved, type TurnContext } from "./zeroclaw-turn.ts";

const cancelledTurn: Outcome = {
  outcome: "cancelled",
  content: "turn cancelled via client_rpc in RPC_SESSION",
};

type SceneContext = Pick<TurnContext, "update" | "ask" | "called" | "cancelled" | "logged">;

export async function playScene(prompt: string, context: SceneContext): Promise<Outcome> {
  const { update, ask, called, cancelled } = context;
  let content = "";
  for (const step of sceneIn(prompt)) {
    if (step.think !== undefined) update("agent_thought_chunk", { text: step.think });
    if (step.say !== undefined || step.read !== undefined)
      for (const text of piecesOf(step)) {
        content += text;
        update("agent_message_chunk", { text });
      }
    if (step.newer === true) update("something_newer", { field: 1 });
    if (step.fail === true) return modelFailure(context);
    if (step.ask !== undefined) {
      const approval = await ask(step.ask === true ? 120 : step.ask / 1000);
      if (approval.decision === "cancelled" || (await isCancelled(cancelled))) return cancelledTurn;
      playApproved(approval, update, "deployed");
    }
    const calls = (step.run ?? []).map((command) => ({ tool_call_id: randomUUID(), command }));
    for (const { tool_call_id, command } of calls)
      update("tool_call", { tool_call_id, name: "shell", raw_input: { command, approved: true } });
    for (const { tool_call_id, command } of calls) {
      const raw_output = outputOf(command);
      if (raw_output === undefined) {
        await cancelled;
        return cancelledTurn; // after a cancel no more updates are sent, not even a result
      }
      update("tool_result", { tool_call_id, name: "shell", raw_output });
    }
    if (step.wait === true) {
      await cancelled;
      return cancelledTurn;
    }
  }
  called(100);
  return { outcome: "completed", content };
}

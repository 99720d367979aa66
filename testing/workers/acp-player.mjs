// The scenes of the conformance suite, acted out by an ACP agent.
import { RequestError } from "@agentclientprotocol/sdk";
import { outputOf, piecesOf, sceneIn } from "./scene.mjs";

let calls = 0;
let spent = 0;
/** From then on, a compaction goes on until it is stopped. */
let slow = false;
export const compactsSlowly = () => slow;

export async function play(message, { text, thought, update, client, sessionId, cancelled }) {
  const content = (words) => [{ type: "content", content: { type: "text", text: words } }];
  for (const step of sceneIn(message)) {
    if (step.think) await thought(step.think);
    if (step.say || step.read) for (const piece of piecesOf(step)) await text(piece);
    if (step.newer) await update({ sessionUpdate: "telepathy", waves: 1 });
    if (step.fail) throw RequestError.internalError({ details: "401 wrong key" });
    if (step.ask && !(await ask(step.ask))) return "cancelled";
    if (step.run && !(await runTools(step.run))) return "cancelled";
    if (step.slow) slow = true;
    if (step.wait) {
      await cancelled;
      return "cancelled";
    }
  }
  spent += 0.001;
  const cost = { amount: spent, currency: "USD" };
  await update({ sessionUpdate: "usage_update", used: 100, size: 200_000, cost });
  return "end_turn";

  /** After its time it is taken back, and the turn goes on; false: somebody has stopped it. */
  async function ask(time) {
    const limit = time === true ? undefined : AbortSignal.timeout(time);
    const question = {
      sessionId,
      toolCall: {
        toolCallId: `ask-${++calls}`,
        title: "Run it?",
        kind: "execute",
        rawInput: { command: "x" },
      },
      options: [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    };
    const options = limit === undefined ? {} : { cancellationSignal: limit };
    const { outcome } = await client.request("session/request_permission", question, options);
    return outcome.outcome !== "cancelled" || limit?.aborted === true;
  }

  async function runTools(commands) {
    const started = commands.map((command) => ({ id: `call-${++calls}`, command }));
    // As opencode does: first that there is a call, then what it calls.
    for (const { id: toolCallId } of started)
      await update({
        sessionUpdate: "tool_call",
        toolCallId,
        title: "bash",
        kind: "execute",
        status: "pending",
        rawInput: { cwd: process.cwd() },
      });
    for (const { id: toolCallId, command } of started)
      await update({
        sessionUpdate: "tool_call_update",
        toolCallId,
        title: command,
        status: "in_progress",
        rawInput: { command },
      });
    for (const { id: toolCallId, command } of started) {
      const output = outputOf(command);
      if (output === undefined) {
        await cancelled;
        return false;
      }
      const told = { sessionUpdate: "tool_call_update", toolCallId, content: content(output) };
      await update({ ...told, status: "completed" });
    }
    return true;
  }
}

// Plays the scenes of the conformance suite as the model of a real agent. The prompt contains the scene, and the tool results show which
// steps are done.
import { piecesOf, type Step, sceneIn } from "../../workers/scene.mjs";
import type { ModelCall } from "./call.ts";
import { echoReply } from "./default-reply.ts";
import type { Reply, ReplyMaker } from "./reply.ts";

interface Shell {
  /** The agent's name of the tool. */
  tool: string;
  /** A command that needs an approval. */
  asks(ask: true | number): string;
  /** The tool's arguments for a command. */
  args?(command: string): object;
}

const builtinShell: Shell = { tool: "bash", asks: (ask) => `echo asked ${ask}` };

export function replyByScene({
  tool,
  asks,
  args = (command) => ({ command }),
}: Shell = builtinShell): ReplyMaker {
  const turnedAway = new Set<string>();
  /** The agent asks a question because of a command. */
  const commandsOf = ({ ask, run }: Step): string[] => run ?? (ask === undefined ? [] : [asks(ask)]);
  /** The steps whose commands have not run yet. */
  const stepsLeft = ({ userText, toolResults }: ModelCall): Step[] => {
    const steps = sceneIn(userText);
    let run = toolResults.length;
    while (run > 0 && steps.length > 0) run -= commandsOf(steps.shift() ?? {}).length;
    return steps;
  };
  return (call) => {
    // Some agents put a reminder before the prompt; a summary quotes the prompt and continues.
    if (!/play \[\{.*\}\]\s*$/s.test(call.userText))
      return call.userText.includes('"slow":true') ? { hangBefore: "headers" } : echoReply(call);
    const steps = stepsLeft(call);
    const end = steps.findIndex((step) => commandsOf(step).length > 0);
    const now = end === -1 ? steps : steps.slice(0, end + 1);
    if (now.some(({ fail }) => fail)) return { status: 401 };
    if (now.some(({ retry }) => retry) && !turnedAway.has(call.userText)) {
      turnedAway.add(call.userText);
      return { status: 429, headers: { "retry-after": "0" } };
    }
    if (now.some(({ pause }) => pause)) return { status: 429, headers: { "retry-after": "50" } };
    const thinking = now.flatMap(({ think }) => (think === undefined ? [] : [think]));
    const text = now.flatMap((step) =>
      step.say === undefined && step.read === undefined ? [] : piecesOf(step),
    );
    const begun = now.flatMap(({ calls }) => calls ?? []);
    const toolCalls = [...now.flatMap(commandsOf), ...begun].map((command) => ({
      name: tool,
      args: args(command),
      chunks: begun.includes(command) ? 4 : 2,
    }));
    const hangs = begun.length > 0 || now.some(({ wait }) => wait);
    const hang = hangs ? hangAfter(thinking.length + text.length + 2 * begun.length) : {};
    return { thinking, text, toolCalls, usage: { input: 1_000, output: 100 }, ...hang };
  };
}

const hangAfter = (chunks: number): Reply =>
  chunks === 0 ? { hangBefore: "headers" } : { hangAfterChunks: chunks };

// Begins turns, or sends messages into the one that runs. A turn's code is loaded when the first one starts,
// because many workers wait long before they are asked anything.
import type { Agent } from "../agent/agent.ts";
import type { Prompt } from "../agent/prompts/prompt.ts";
import { isSlashed, resolveSlash } from "../agent/prompts/slash-commands.ts";
import type { Turn } from "../agent/prompts/turn-queue.ts";
import type { Exchange } from "./exchange.ts";

const full = "too many prompts are waiting; try again when one is done";

/** zot's way: it waits its turn, and is answered when it starts. */
export function beginPrompt(
  agent: Agent,
  exchange: Exchange,
  prompts: readonly [Prompt, ...Prompt[]],
  answer: object = { started: true },
): void {
  const [first, ...also] = prompts;
  const turn = promptTurn(agent, exchange.bytes, first, also, () => exchange.succeed(answer));
  if (!agent.turns.add(turn)) exchange.fail(full);
}

/** omp's way: answered at once, it begins when the running turn is over. False when it was refused. */
export function followUp(
  agent: Agent,
  exchange: Exchange,
  prompt: Prompt,
  where: "last" | "next" = "last",
): boolean {
  const { turns } = agent;
  const waits = turns.busy;
  const started = waits ? () => {} : () => exchange.succeed({ started: true });
  const turn = promptTurn(agent, exchange.bytes, prompt, [], started);
  const taken = turns.add({ ...turn, joins: where === "last" && !isSlashed(prompt) }, where);
  if (!taken) exchange.fail(full);
  else if (waits) exchange.succeed({ started: false, queued: true });
  return taken;
}

/** Into the running turn; where there is none (or a compaction), it begins the next one. */
export function steer(agent: Agent, exchange: Exchange, prompt: Prompt): void {
  const { turns, steering } = agent;
  if (!turns.prompting) followUp(agent, exchange, prompt, "next");
  else if (steering.add(prompt, exchange.bytes)) {
    agent.tellQueue();
    exchange.succeed({ started: false, steered: true });
  } else exchange.fail(full);
}

export function beginCompaction(agent: Agent, exchange: Exchange, instructions: string | undefined): void {
  const taken = agent.turns.add({
    bytes: exchange.bytes,
    run: async (signal) => {
      exchange.succeed({ started: true });
      await guarded(agent, async () => {
        const { runCompaction } = await import("../agent/turn/turns.ts");
        await runCompaction(agent, instructions, signal);
      });
    },
  });
  if (!taken) exchange.fail(full);
}

function promptTurn(
  agent: Agent,
  bytes: number,
  prompt: Prompt,
  also: readonly Prompt[],
  started: () => void,
): Turn {
  return {
    bytes,
    prompt,
    run: async (signal, joined) => {
      started();
      await guarded(agent, async () => {
        const content = prompt.resolved ? prompt.content : await resolveSlash(agent, prompt.content, signal);
        if (content === null) return;
        const { runPrompt } = await import("../agent/turn/turns.ts");
        await runPrompt(agent, [{ ...prompt, content }, ...also, ...joined], signal);
      });
    },
  };
}

async function guarded(agent: Agent, run: () => Promise<void>): Promise<void> {
  const { output } = agent;
  try {
    await agent.open();
    await run();
  } catch (error) {
    // A turn ends itself in every case it foresees. This is the one it did not.
    output.write({ type: "error", message: `internal error: ${String(error)}` });
    output.write({ type: "done" });
  }
}

// Begins turns, or sends messages into the one that runs, and responds to the command that asked for it.
import type { Prompt } from "../agent/prompts/prompt.ts";
import { mayBeSlashCommand } from "../agent/prompts/slash-commands.ts";
import type { SteeringQueue } from "../agent/prompts/steering-queue.ts";
import type { QueuedTurn, TurnQueue } from "../agent/prompts/turn-queue.ts";
import type { TurnRunner } from "../agent/turn-runner.ts";
import type { Exchange } from "./exchange.ts";

export interface TurnControl {
  readonly turns: TurnQueue;
  readonly steering: SteeringQueue;
  readonly runner: TurnRunner;
}

const full = "too many prompts are waiting; try again when one is done";

/** As in zot: the prompt is queued, and the response comes when its turn starts. */
export function beginPrompt(
  control: TurnControl,
  exchange: Exchange,
  prompts: readonly [Prompt, ...Prompt[]],
  response: object = { started: true },
): void {
  const [first, ...others] = prompts;
  const turn = promptTurn(control, exchange.bytes, first, others, () => exchange.succeed(response));
  if (!control.turns.add(turn)) exchange.fail(full);
}

/** As in omp: the response comes at once, the turn begins when the running one is over. False when it was refused. */
export function followUp(
  control: TurnControl,
  exchange: Exchange,
  prompt: Prompt,
  where: "last" | "next" = "last",
): boolean {
  const { turns } = control;
  const waits = turns.busy;
  const started = waits ? () => {} : () => exchange.succeed({ started: true });
  const turn = promptTurn(control, exchange.bytes, prompt, [], started);
  const taken = turns.add({ ...turn, joins: where === "last" && !mayBeSlashCommand(prompt) }, where);
  if (!taken) exchange.fail(full);
  else if (waits) exchange.succeed({ started: false, queued: true });
  return taken;
}

/** Into the running turn; where there is none (or a compaction), it begins the next one. */
export function steer(control: TurnControl, exchange: Exchange, prompt: Prompt): void {
  const { turns, steering } = control;
  if (!turns.prompting) followUp(control, exchange, prompt, "next");
  else if (steering.add(prompt, exchange.bytes)) {
    turns.announce();
    exchange.succeed({ started: false, steered: true });
  } else exchange.fail(full);
}

export function beginCompaction(
  { turns, runner }: TurnControl,
  exchange: Exchange,
  instructions: string | undefined,
): void {
  const taken = turns.add({
    bytes: exchange.bytes,
    run: async (signal) => {
      exchange.succeed({ started: true });
      await runner.runCompaction(instructions, signal);
    },
  });
  if (!taken) exchange.fail(full);
}

const promptTurn = (
  { runner }: TurnControl,
  bytes: number,
  prompt: Prompt,
  others: readonly Prompt[],
  started: () => void,
): QueuedTurn => ({
  bytes,
  prompt,
  run: async (signal, joined) => {
    started();
    await runner.runPrompts(prompt, [...others, ...joined], signal);
  },
});

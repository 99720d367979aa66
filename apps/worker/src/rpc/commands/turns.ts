// Commands that start, steer or end work.
import { readPrompt, readPrompts } from "../../agent/prompts/read-prompt.ts";
import { beginCompaction, beginPrompt, followUp, steer, type TurnControl } from "../begin-turn.ts";
import type { Handlers } from "../exchange.ts";

type TurnType = "prompt" | "steer" | "follow_up" | "abort_and_prompt" | "compact" | "abort" | "steer_remove";

export function turnHandlers(control: TurnControl): Handlers<TurnType> {
  const { turns, steering } = control;
  return {
    prompt(command, exchange) {
      const reading = readPrompts([command, ...(command.also ?? [])]);
      if (!reading.ok) return exchange.fail(reading.error);
      const [first] = reading.prompts;
      if (turns.busy && command.streamingBehavior === "steer") return steer(control, exchange, first);
      if (turns.busy && command.streamingBehavior === "followUp") followUp(control, exchange, first);
      else beginPrompt(control, exchange, reading.prompts);
    },
    steer(command, exchange) {
      const reading = readPrompt(command);
      if (!reading.ok) return exchange.fail(reading.error);
      if (command.ifRunning === true && !turns.prompting) return exchange.fail("no turn is running");
      steer(control, exchange, reading.prompt);
    },
    follow_up(command, exchange) {
      const reading = readPrompt(command);
      if (reading.ok) followUp(control, exchange, reading.prompt);
      else exchange.fail(reading.error);
    },
    abort_and_prompt(command, exchange) {
      const reading = readPrompt(command);
      if (!reading.ok) return exchange.fail(reading.error);
      // The abort is for the turn that was running, not for the one that begins in its place.
      const { busy } = turns;
      if (followUp(control, exchange, reading.prompt, "next") && busy) turns.abort();
    },
    compact: ({ customInstructions }, exchange) => beginCompaction(control, exchange, customInstructions),
    steer_remove({ index, text }, exchange) {
      const taken = steering.remove(index, text);
      if (taken === undefined) return exchange.fail("It is no longer waiting: the agent has read it.");
      turns.announce();
      exchange.succeed(taken.key === undefined ? {} : { key: taken.key });
    },
    abort(_command, exchange) {
      turns.abort();
      exchange.succeed();
    },
  };
}

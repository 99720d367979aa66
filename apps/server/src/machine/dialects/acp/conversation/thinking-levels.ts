// How long an agent's model thinks: an option whose values have names of the agent's own. Those that are levels of ours can be
// chosen in the page; what else the agent offers (its default, say) can stay as it is.
import { type ThinkingLevel, thinkingLevels } from "@patchbay/protocol";
import type { AgentChoice } from "../wire/options.ts";

/** Other names of our levels. */
const otherNames: Readonly<Partial<Record<ThinkingLevel, readonly string[]>>> = {
  off: ["none", "disabled"],
  xhigh: ["x-high", "extra-high"],
  max: ["maximum"],
};

/** The levels that the agent offers, from the shortest to the longest. */
export const levelsOf = (choice: AgentChoice | undefined): ThinkingLevel[] =>
  choice === undefined ? [] : thinkingLevels.filter((level) => valueOf(choice, level) !== undefined);

/** The agent's value for a level. */
export const valueOf = ({ offered }: AgentChoice, level: ThinkingLevel): string | undefined =>
  [level, ...(otherNames[level] ?? [])].find((name) => offered.some(({ id }) => id === name));

/** The level that is chosen now, or the agent's own name of it. */
export function currentLevel(choice: AgentChoice | undefined): string | undefined {
  if (choice === undefined) return undefined;
  return levelsOf(choice).find((level) => valueOf(choice, level) === choice.current) ?? choice.current;
}

// What a finished turn amounted to, fact by fact.
import type { Mark } from "@patchbay/protocol";
import { formatCost } from "../format/money.ts";
import { plural } from "../format/plural.ts";
import { formatDuration } from "../format/time.ts";
import { formatTokenFlow } from "../format/tokens.ts";

export type TurnMark = Extract<Mark, { kind: "turn" }>;

export function turnFacts(mark: TurnMark): string[] {
  const facts: string[] = [];
  if (mark.model !== undefined && mark.calls > 0) facts.push(mark.model);
  if (mark.calls > 0) facts.push(plural(mark.calls, "call"));
  if (mark.duration_ms !== undefined) facts.push(formatDuration(mark.duration_ms));
  if (mark.calls > 0) facts.push(...formatTokenFlow(mark.usage), formatCost(mark.usage));
  return facts;
}

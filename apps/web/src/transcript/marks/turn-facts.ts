// What a finished turn amounted to, fact by fact, and what it cost.
import type { Mark } from "@patchbay/protocol";
import { formatCost } from "../../format/money.ts";
import { formatDuration, isNoticeable } from "../../format/time.ts";
import { formatTokenFlow } from "../../format/tokens.ts";
import { marksTexts as texts } from "./texts.ts";

export type TurnMark = Extract<Mark, { kind: "turn" }>;

export function turnFacts(mark: TurnMark): string[] {
  const facts: string[] = [];
  if (mark.model !== undefined && mark.calls > 0) facts.push(mark.model);
  if (mark.calls > 0) facts.push(texts.calls(mark.calls));
  if (mark.duration_ms !== undefined && isNoticeable(mark.duration_ms))
    facts.push(formatDuration(mark.duration_ms));
  if (mark.calls > 0) facts.push(...formatTokenFlow(mark.usage));
  return facts;
}

export const turnCost = (mark: TurnMark): string | null => (mark.calls > 0 ? formatCost(mark.usage) : null);

// Builds the events of budgets, which the store keeps.
import { randomUUID } from "node:crypto";
import type { BudgetEvent } from "@patchbay/protocol";
import type { TargetStatus } from "./tally.ts";

export const eventOf = (
  budget: string,
  event: BudgetEvent["event"],
  about: Partial<BudgetEvent> & Pick<BudgetEvent, "by" | "message">,
): BudgetEvent => ({
  id: randomUUID(),
  time: new Date().toISOString(),
  budget,
  event,
  target: "",
  session: null,
  period: null,
  amount_usd: null,
  reason: "",
  ...about,
});

export const placeOf = ({ target, period }: TargetStatus): Pick<BudgetEvent, "target" | "period"> => ({
  target,
  period: new Date(period.from).toISOString(),
});

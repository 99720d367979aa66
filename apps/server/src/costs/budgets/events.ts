// What happens to budgets and because of them.
import { randomUUID } from "node:crypto";
import type { BudgetEvent } from "@patchbay/protocol";
import type { Standing } from "./tally.ts";

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

export const placeOf = ({ target, period }: Standing): Pick<BudgetEvent, "target" | "period"> => ({
  target,
  period: new Date(period.from).toISOString(),
});

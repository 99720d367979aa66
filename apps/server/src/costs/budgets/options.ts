// What budgets need, and whom they tell.
import type { Budget, BudgetEvent, BudgetTerms } from "@patchbay/protocol";
import type { Store } from "../../store/store.ts";

export interface BudgetsOptions {
  store: Store;
  /** From the config file: they are changed there. */
  configured: readonly BudgetTerms[];
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Told of everything that happens to a budget or because of it: the seam for notifications. */
  onBudgetEvent?(event: BudgetEvent, budget: Budget): void;
}

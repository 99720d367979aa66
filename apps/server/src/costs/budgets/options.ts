// The dependencies of budgets.
import type { BudgetTerms } from "@patchbay/protocol";
import type { Store } from "../../store/store.ts";

export interface BudgetsOptions {
  store: Store;
  /** Budgets of the config file. The API cannot change them. */
  configured: readonly BudgetTerms[];
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Resolves the links of a path on the machine where sessions run. */
  realPath(path: string): string;
}

// What budgets need.
import type { BudgetTerms } from "@patchbay/protocol";
import type { Store } from "../../store/store.ts";

export interface BudgetsOptions {
  store: Store;
  /** From the config file: they are changed there. */
  configured: readonly BudgetTerms[];
  log: { info(details: object, message: string): void; warn(details: object, message: string): void };
  /** Resolves the links of a path on the machine where sessions run. */
  realPath(path: string): string;
}

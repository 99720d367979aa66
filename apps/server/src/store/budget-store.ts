// The store of budgets: those made with the API, and the events of all budgets.
import type { BudgetEvent, BudgetTerms } from "@patchbay/protocol";

/** A budget that was made with the API. */
export interface SavedBudget {
  id: string;
  terms: BudgetTerms;
  created_at: string;
  created_by: string;
}

export interface BudgetStore {
  /** Oldest first. */
  list(): Promise<SavedBudget[]>;
  /** Adds or changes the budget. The event is saved in the same transaction. */
  save(budget: SavedBudget, event: BudgetEvent): Promise<void>;
  remove(id: string, event: BudgetEvent): Promise<void>;
  add(event: BudgetEvent): Promise<void>;
  /** Newest first. */
  events(query: {
    budget?: string | undefined;
    period?: string | undefined;
    limit: number;
  }): Promise<BudgetEvent[]>;
}

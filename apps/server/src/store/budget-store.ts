// What is kept of budgets: those that people made, and the history of all.
import type { BudgetEvent, BudgetTerms } from "@patchbay/protocol";

/** A budget that somebody made. */
export interface SavedBudget {
  id: string;
  terms: BudgetTerms;
  created_at: string;
  created_by: string;
}

export interface BudgetStore {
  /** Oldest first. */
  list(): Promise<SavedBudget[]>;
  /** Makes or changes it; the event is kept with it, or neither is. */
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

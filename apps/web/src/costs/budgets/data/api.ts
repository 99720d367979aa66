// The budget calls.
import { Budget, type BudgetChange, type BudgetGrant, type NewBudget } from "@patchbay/protocol";
import * as z from "zod/mini";
import { call, perform } from "../../../api/http/call.ts";

export const BudgetsBody = z.object({ budgets: z.array(Budget) });
export type BudgetsBody = z.infer<typeof BudgetsBody>;
const OneBudget = z.object({ budget: Budget });

const at = (id: string): string => `/api/budgets/${encodeURIComponent(id)}`;

export const budgetsOf = (session: string): string => `/api/budgets?session=${encodeURIComponent(session)}`;

export const createBudget = async (body: NewBudget): Promise<Budget> =>
  (await call("/api/budgets", OneBudget, { method: "POST", body })).budget;

export const changeBudget = async (id: string, body: BudgetChange): Promise<Budget> =>
  (await call(at(id), OneBudget, { method: "PATCH", body })).budget;

export const grantBudget = async (id: string, body: BudgetGrant): Promise<Budget> =>
  (await call(`${at(id)}/grant`, OneBudget, { method: "POST", body })).budget;

export const deleteBudget = (id: string, reason: string): Promise<void> =>
  perform(at(id), { method: "DELETE", body: { reason } });

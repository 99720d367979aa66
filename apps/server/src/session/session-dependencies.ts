// What every session needs and does not own.

import type { Limits } from "../config/config-file.ts";
import type { Budgets } from "../costs/budgets/budgets.ts";
import type { PlanLimits } from "../costs/plans/plan-limits.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { Logger } from "../diagnostics/logger.ts";
import type { Machine, WorkerKind } from "../machine/machine.ts";
import type { TurnEventListener } from "../projections/turn-event.ts";
import type { Store } from "../store/store.ts";
import type { Permissions } from "./permissions/permissions.ts";
import type { WorkerPool } from "./worker/worker-pool.ts";

export interface SessionDependencies {
  store: Store;
  prices: Prices;
  budgets: Budgets;
  planLimits: PlanLimits;
  permissions: Permissions;
  limits: Limits;
  machine: Machine;
  /** The kind of its worker. */
  kind: WorkerKind;
  log: Logger;
  /** Workers started ahead, if there are any. */
  pool: WorkerPool | undefined;
  /** Resolves when another worker may be started; rejects with a sentence for a person at the limit. */
  admit(): Promise<void>;
  /** Absent where no integration listens. */
  turnEvents: TurnEventListener | undefined;
  /** Why logs cannot be written at the moment, for a person. */
  logProblem(): string | undefined;
  /** The person whose sessions without an owner are; undefined: this server has no people. */
  holder(): string | undefined;
}

// A feature: a part of the server that can be left out. It declares what it needs of the core and which calls it adds. It
// gets nothing else, and the core does not import it.
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Access } from "../access/access.ts";
import type { Accounts } from "../access/accounts/accounts.ts";
import type { Rights } from "../access/rights.ts";
import type { Config } from "../config/config.ts";
import type { Announcements } from "../costs/announcements.ts";
import type { Budgets } from "../costs/budgets/budgets.ts";
import type { PlanLimits } from "../costs/plans/plan-limits.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { Machine } from "../machine/machine.ts";
import type { Hub } from "../session/hub/hub.ts";
import type { LocalSocket } from "../sockets/local/local-socket.ts";
import type { LocalMethod } from "../sockets/local/methods.ts";
import type { CommandListener } from "../sockets/socket-gate.ts";
import type { Store } from "../store/store.ts";

/** What features may use. */
export interface Core {
  readonly config: Config;
  readonly version: string;
  /** Where the built page is. */
  readonly webRoot: string;
  readonly log: FastifyBaseLogger;
  readonly store: Store;
  readonly machine: Machine;
  readonly prices: Prices;
  readonly budgets: Budgets;
  readonly planLimits: PlanLimits;
  readonly announcements: Announcements;
  readonly hub: Hub;
  readonly access: Access;
  readonly accounts: Accounts;
  readonly rights: Rights;
  /** Guarded: an added route needs a login unless its config opens it. */
  readonly http: FastifyInstance;
  readonly logins: {
    newLoginUrl(): string;
    invitationUrl(secret: string): string;
    revokeAll(): Promise<number>;
  };
  /** Calls the listener for each command of a viewer, permitted or not. */
  onCommand(listener: CommandListener): void;
  /** Methods of the local socket, by name. */
  readonly localMethods: Map<string, LocalMethod>;
}

/** What a feature has started. */
export interface StartedFeature {
  /** Sessions are loaded. */
  loaded?(): void;
  /** Before sessions are closed. */
  stop?(): Promise<void>;
  /** After sessions are closed. */
  close?(): Promise<void>;
  /** For programs on this machine; the caller starts listening. */
  localSocket?: LocalSocket;
}

export interface Feature {
  readonly name: string;
  readonly needs: readonly (keyof Core)[];
  /** Routes, as `GET /api/…`, and methods of the local socket. */
  readonly adds: readonly string[];
  /** Called before sessions are loaded. */
  start(core: Core): StartedFeature | Promise<StartedFeature>;
}

interface FeatureTerms<Need extends keyof Core> extends Pick<Feature, "name" | "adds"> {
  readonly needs: readonly Need[];
  start(core: Pick<Core, Need>): StartedFeature | Promise<StartedFeature>;
}

/** The types give `start` only what the feature declares in `needs`. */
export const feature = <Need extends keyof Core>(terms: FeatureTerms<Need>): Feature => terms;

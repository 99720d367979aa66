// A feature: a part of the server that can be left out. It says what it needs of the core and which calls it adds, gets
// nothing else, and the core does not know it.
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import type { Budgets } from "../costs/budgets/budgets.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { Machine } from "../machine/machine.ts";
import type { Hub } from "../session/hub/hub.ts";
import type { LocalSocket } from "../sockets/local/local-socket.ts";
import type { LocalMethod } from "../sockets/local/methods.ts";
import type { Store } from "../store/store.ts";

/** What features may use. */
export interface Core {
  readonly config: Config;
  readonly version: string;
  readonly log: FastifyBaseLogger;
  readonly store: Store;
  readonly machine: Machine;
  readonly prices: Prices;
  readonly budgets: Budgets;
  readonly hub: Hub;
  /** Guarded: a route that is added needs a login unless it says otherwise. */
  readonly http: FastifyInstance;
  readonly logins: { newLoginUrl(): string; revokeAll(): Promise<number> };
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
  /** For programs on this machine; it does not listen by itself. */
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

/** The types hold `start` to what the feature needs. */
export const feature = <Need extends keyof Core>(terms: FeatureTerms<Need>): Feature => terms;

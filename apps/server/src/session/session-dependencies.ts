// What every session needs and does not own.
import type { Limits } from "../config-file.ts";
import type { Store } from "../store/store.ts";
import type { Profile } from "../worker/profiles.ts";

export interface SessionLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface SessionDependencies {
  store: Store;
  limits: Limits;
  profile: Profile;
  /** What its worker sees of the environment. */
  environment: Record<string, string>;
  log: SessionLog;
  /** Why logs cannot be written at the moment, for a person. */
  trouble(): string | undefined;
}

// One server per home: two would give the same numbers to different frames. The lock is SQLite's, so the system releases it even if
// the server is killed.
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { StartError } from "../../diagnostics/start-error.ts";

/** Another server has the home. A command can send its request to that server instead. */
export class HomeTakenError extends StartError {}

export interface HomeLock {
  release(): void;
}

export function lockHome(home: string): HomeLock {
  const database = new DatabaseSync(join(home, "lock"));
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!/locked|busy/i.test(String(error))) throw error;
    throw new HomeTakenError(
      `Another Patchbay is already running with the home directory ${home}. Stop it, or choose another directory with --home.`,
    );
  }
  return { release: () => database.close() };
}

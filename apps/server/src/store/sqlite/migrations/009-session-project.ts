import type { Kysely, Migration } from "kysely";

/** Whose money a session in a worktree spends: the project it is a worktree of. Null: its directory is the project. */
export const sessionProject: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("sessions").addColumn("project", "text").execute();
  },
};

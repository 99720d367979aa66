import type { Kysely, Migration } from "kysely";

/** Where the worktree of a session belongs, as JSON. Null: it has none, or an earlier version made it. */
export const worktrees: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable("sessions").addColumn("worktree", "text").execute();
  },
};

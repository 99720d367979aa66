import { type Kysely, type Migration, sql } from "kysely";
import { quarterMs } from "../../quarters.ts";

// Written out again here: what this step did must stay as it was when the ledger gains another column.
const dimensions = ["person", "cwd", "branch", "worker", "provider", "model"] as const;
const figures = [
  "calls",
  "input",
  "output",
  "cache_read",
  "cache_write",
  "thinking",
  "cost_micros",
  "unpriced",
] as const;

/** Costs by turn, person and branch, where each price came from, and the sums that dashboards read. */
export const costs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const alter = (name: string, type: "text" | "bigint", value: string | number) =>
      db.schema
        .alterTable("ledger")
        .addColumn(name, type, (column) => column.notNull().defaultTo(value))
        .execute();
    await alter("turn", "bigint", 0);
    await alter("thinking", "bigint", 0);
    await alter("person", "text", "");
    await alter("branch", "text", "");
    await alter("price", "text", "worker");
    const sums = figures.map((name) => `${name} bigint not null`).join(", ");
    const columns = `${dimensions.map((name) => `${name} text not null`).join(", ")}, ${sums}`;
    const keys = dimensions.join(", ");
    await sql
      .raw(`create table spend (quarter integer not null, ${columns}, primary key (quarter, ${keys}))`)
      .execute(db);
    await sql
      .raw(
        `create table spend_by (dimension text not null, quarter integer not null, name text not null, ${sums}, primary key (dimension, quarter, name))`,
      )
      .execute(db);
    for (const name of ["person", "cwd", "branch", "model"])
      await db.schema.createIndex(`spend_${name}`).on("spend").columns([name, "quarter"]).execute();
    const times = "started bigint not null, ended bigint not null";
    await sql
      .raw(
        `create table turn_spend (session text not null, turn bigint not null, ${times}, ${columns}, primary key (session, turn))`,
      )
      .execute(db);
    await db.schema.createIndex("turn_spend_started").on("turn_spend").column("started").execute();
    await sumUp(db);
  },
};

/** What the ledger already has. */
async function sumUp(db: Kysely<unknown>): Promise<void> {
  const keys = dimensions.join(", ");
  const sums = figures.map((name) => (name === "calls" ? "count(*)" : `sum(${name})`)).join(", ");
  const columns = `${keys}, ${figures.join(", ")}`;
  const quarter = `time / ${quarterMs}`;
  await sql
    .raw(
      `insert into spend (quarter, ${columns}) select ${quarter}, ${keys}, ${sums} from ledger group by ${quarter}, ${keys}`,
    )
    .execute(db);
  for (const name of dimensions) {
    await sql
      .raw(
        `insert into spend_by (dimension, quarter, name, ${figures.join(", ")}) select '${name}', ${quarter}, ${name}, ${sums} from ledger group by ${quarter}, ${name}`,
      )
      .execute(db);
  }
  const some = dimensions.map((name) => `max(${name})`).join(", ");
  await sql
    .raw(
      `insert into turn_spend (session, turn, started, ended, ${columns}) select session, turn, min(time), max(time), ${some}, ${sums} from ledger group by session, turn`,
    )
    .execute(db);
}

import { type Kysely, type Migration, sql } from "kysely";

/** The largest amount that is still a safe integer as nano-dollars: nine million dollars. */
const most = Math.floor(Number.MAX_SAFE_INTEGER / 1_000);

const columns = [
  ["ledger", "cost"],
  ["ledger", "low"],
  ["ledger", "high"],
  ...["spend", "spend_by", "turn_spend"].flatMap((table) =>
    ["cost", "below", "above"].map((name) => [table, name]),
  ),
  ["repricings", "before"],
  ["repricings", "after"],
  ["repriced", "before"],
  ["repriced", "after"],
];

/** Costs were whole micro-dollars, which are too coarse for calls of a few tokens (decision 008). They become nano-dollars. */
export const nanoDollars: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const [table, name] of columns) {
      await sql.raw(`alter table ${table} rename column ${name}_micros to ${name}_nanos`).execute(db);
      const nanos = `max(-${most}, min(${name}_nanos, ${most})) * 1000`;
      await sql.raw(`update ${table} set ${name}_nanos = ${nanos} where ${name}_nanos <> 0`).execute(db);
    }
  },
};

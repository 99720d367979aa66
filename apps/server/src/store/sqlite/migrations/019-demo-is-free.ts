import { type Kysely, type Migration, sql } from "kysely";

// Written out again here: what this step did must stay as it was when the ledger gains another column.
const dimensions = ["person", "cwd", "branch", "worker", "provider", "model"];
const quarterMs = 15 * 60_000;
const isDemo = "provider = 'demo' and model = 'offline-demo' and price = 'worker' and cost_micros > 0";

/** Earlier versions recorded simulated costs for the offline demo model. They are taken out of the entries and of all sums. */
export const demoIsFree: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const statements = [
      subtract("spend", `time / ${quarterMs} as quarter, ${dimensions.join(", ")}`, [
        "quarter",
        ...dimensions,
      ]),
      ...dimensions.map((name) =>
        subtract("spend_by", `'${name}' as dimension, time / ${quarterMs} as quarter, ${name} as name`, [
          "dimension",
          "quarter",
          "name",
        ]),
      ),
      subtract("turn_spend", "session, turn", ["session", "turn"]),
      `update ledger set cost_micros = 0 where ${isDemo}`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** Subtracts the simulated costs from the rows of a table of sums. */
function subtract(table: string, keys: string, names: readonly string[]): string {
  const same = names.map((name) => `${table}.${name} = demo.${name}`).join(" and ");
  const groups = names.map((_, index) => index + 1).join(", ");
  return `update ${table} set cost_micros = max(0, ${table}.cost_micros - demo.micros)
    from (select ${keys}, sum(cost_micros) as micros from ledger where ${isDemo} group by ${groups}) as demo
    where ${same}`;
}

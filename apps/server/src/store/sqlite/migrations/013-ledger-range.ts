import { type Kysely, type Migration, sql } from "kysely";

// Written out again here: what this step did must stay as it was when the ledger gains another column.
const dimensions = ["person", "cwd", "branch", "worker", "provider", "model"];
const tokens = ["input", "output", "cache_read", "cache_write", "thinking"];
const figures = ["calls", ...tokens, "cost_micros", "unpriced"];
const mostTokens = 1_000_000_000;
const mostMicros = 100_000_000_000;
const largest = Number.MAX_SAFE_INTEGER;
const quarterMs = 15 * 60_000;

/**
 * Calls whose figures no call can have (a worker's usage frame of 2^53 tokens) made sums that cannot be read as numbers, and
 * with them a home whose server did not start. They become calls of which nothing is known, and the sums are made again.
 */
export const ledgerRange: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const impossible = [
      ...tokens.map((name) => `${name} > ${mostTokens} or ${name} < 0`),
      `cost_micros > ${mostMicros} or cost_micros < 0`,
    ].join(" or ");
    const found = await sql<{
      found: number;
    }>`select exists(select 1 from ledger where ${sql.raw(impossible)}) as found`.execute(db);
    if (found.rows[0]?.found !== 1) return;
    const nothing = [...tokens, "cost_micros"].map((name) => `${name} = 0`).join(", ");
    await sql
      .raw(`update ledger set ${nothing}, unpriced = 1, price = 'incomplete' where ${impossible}`)
      .execute(db);
    for (const table of ["spend", "spend_by", "turn_spend"])
      await sql.raw(`delete from ${table}`).execute(db);
    await sumUp(db);
    for (const name of ["before_micros", "after_micros"])
      await sql.raw(`update repricings set ${name} = max(-${largest}, min(${name}, ${largest}))`).execute(db);
  },
};

async function sumUp(db: Kysely<unknown>): Promise<void> {
  const keys = dimensions.join(", ");
  const columns = figures.join(", ");
  const sums = figures
    .map((name) => (name === "calls" ? "count(*)" : `cast(min(total(${name}), ${largest}) as integer)`))
    .join(", ");
  const quarter = `time / ${quarterMs}`;
  const statements = [
    `insert into spend (quarter, ${keys}, ${columns}) select ${quarter}, ${keys}, ${sums} from ledger group by ${quarter}, ${keys}`,
    ...dimensions.map(
      (name) =>
        `insert into spend_by (dimension, quarter, name, ${columns}) select '${name}', ${quarter}, ${name}, ${sums} from ledger group by ${quarter}, ${name}`,
    ),
    `insert into turn_spend (session, turn, started, ended, ${keys}, ${columns}) select session, turn, min(time), max(time), ${dimensions.map((name) => `max(${name})`).join(", ")}, ${sums} from ledger group by session, turn`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

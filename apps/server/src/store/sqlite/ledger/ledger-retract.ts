// Removes entries from the ledger and its sums. The caller writes a better entry of the same call in the same transaction.
import { type CompiledQuery, sql } from "kysely";
import { type LedgerEntry, ledgerDimensions } from "../../ledger-types.ts";
import { quarterOf } from "../../quarters.ts";
import type { Database } from "../database/database.ts";
import { figures, figuresOf } from "./ledger-sums.ts";

type SumTable = "spend" | "spend_by" | "turn_spend";

export const retractEntries = (db: Database, entries: readonly LedgerEntry[]): CompiledQuery[] =>
  entries.flatMap((entry) => {
    const quarter = quarterOf(Date.parse(entry.time));
    const dimensions = Object.fromEntries(ledgerDimensions.map((name) => [name, entry[name]]));
    const { session, seq, turn } = entry;
    return [
      sql`delete from ledger where session = ${session} and seq = ${seq}`.compile(db.query),
      ...subtract("spend", { quarter, ...dimensions }),
      ...ledgerDimensions.flatMap((dimension) =>
        subtract("spend_by", { dimension, quarter, name: entry[dimension] }),
      ),
      ...subtract("turn_spend", { session, turn }),
    ];

    function subtract(table: SumTable, keys: Readonly<Record<string, string | number>>): CompiledQuery[] {
      const name = sql.table(table);
      const where = sql.join(
        Object.entries(keys).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
        sql` and `,
      );
      const spent = figuresOf(entry);
      const less = sql.join(
        figures.map((figure) => sql`${sql.ref(figure)} = ${sql.ref(figure)} - ${spent[figure]}`),
      );
      return [
        sql`update ${name} set ${less} where ${where}`.compile(db.query),
        sql`delete from ${name} where ${where} and calls = 0`.compile(db.query),
      ];
    }
  });

// Reads rows and skips unreadable ones: one row that a bug, another version or a broken disk has damaged must not prevent a session
// or the server from starting. It stays in its table for inspection.

/** Called for each skipped row. */
export type ReportUnreadable = (what: { table: string; row: string }, error: unknown) => void;

export function readableRows<Row, Value>(
  table: string,
  rows: readonly Row[],
  read: (row: Row) => Value,
  { nameOf, report }: { nameOf(row: Row): string; report: ReportUnreadable },
): Value[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      report({ table, row: nameOf(row) }, error);
      return [];
    }
  });
}

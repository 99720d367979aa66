// Rows that can be read, without those that cannot: one row that a bug, another version or a broken disk has spoiled must not
// keep a session, or the whole server, from starting. An unreadable row stays in its table, where it can be looked at.

/** Told of each row that is left out. */
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

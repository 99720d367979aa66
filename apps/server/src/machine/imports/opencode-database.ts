// Reads opencode's database, which another process may be writing. SQLite's calls block, so rows are read in small pages with
// pauses between them. The file may be hostile: only plain tables are read, a page has a bound, and rows are asked for by their number
// alone, because a filter without an index could search for very long.
import { lstat } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { foreignBounds, readJson } from "@patchbay/protocol";
import { DatabaseSync } from "@photostructure/sqlite";
import * as z from "zod/mini";
import { unreadable } from "./unreadable.ts";

/** Rows without their content, and with it: a message may be hundreds of kilobytes. */
const idsAtOnce = 1_000;
const valuesAtOnce = 20;
/** More than years of work leave: their index has to fit into memory. It also ends a file whose pages lead back to each other. */
const maxRows = 1_000_000;
/** Of an id. A hostile file may have ids of any length. */
const maxIdChars = 200;
/** The bound of a session file's line. */
const maxValueBytes = 64 * 1024 * 1024;

const Numbered = z.looseObject({ rowid: z.number() });
const MessageIndex = z.object({
  rowid: z.number(),
  id: z.string(),
  session_id: z.string(),
  time_created: z.number(),
  time_updated: z.number(),
});
const Stored = z.object({ data: z.string() });
const Definition = z.object({ type: z.string(), sql: z.string() });

/** A message of the index. */
export type OpencodeMessage = z.infer<typeof MessageIndex>;

export class OpencodeDatabase implements Disposable {
  readonly #database: InstanceType<typeof DatabaseSync>;

  private constructor(database: InstanceType<typeof DatabaseSync>) {
    this.#database = database;
  }

  static async open(path: string): Promise<OpencodeDatabase> {
    if (!(await lstat(path)).isFile()) throw unreadable("it is not a file");
    // Without a WAL the file is read as it is: SQLite would create one beside it.
    const wal = await lstat(`${path}-wal`).catch(() => undefined);
    const isShared = wal?.isFile() === true && wal.size > 0;
    const url = new URL(`file://${path.split("/").map(encodeURIComponent).join("/")}`);
    url.search = isShared ? "mode=ro" : "mode=ro&immutable=1";
    return readable(() => {
      const database = new DatabaseSync(url.href, {
        readOnly: true,
        timeout: 0,
        limits: { length: maxValueBytes },
      });
      try {
        for (const pragma of ["trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"])
          database.exec(`PRAGMA ${pragma}`);
        database.prepare("select count(*) from sqlite_master where name = 'message'").get();
      } catch (error) {
        database.close();
        throw error;
      }
      return new OpencodeDatabase(database);
    });
  }

  /** Whether it has messages in a plain table: a view or a computed column could contain any query. */
  #hasMessages(): boolean {
    return readable(() => {
      const found = this.#database
        .prepare("select type, sql from sqlite_master where name = 'message'")
        .all();
      const [only, ...others] = found.map((row) => Definition.safeParse(row).data);
      if (only?.type !== "table" || others.length > 0 || /^create\s+virtual/i.test(only.sql)) return false;
      const columns = this.#database.prepare("pragma table_xinfo(message)").all();
      return columns.every((row) => z.object({ hidden: z.literal(0) }).safeParse(row).success);
    });
  }

  /** The messages of all sessions, without their content: by session, in the order in which they were written. */
  async index(): Promise<Map<string, OpencodeMessage[]>> {
    const bySession = new Map<string, OpencodeMessage[]>();
    for await (const row of this.#rows()) {
      const read = MessageIndex.safeParse(row).data;
      if (read === undefined) continue;
      const messages = bySession.get(read.session_id) ?? [];
      messages.push(read);
      bySession.set(read.session_id, messages);
    }
    for (const messages of bySession.values())
      messages.sort((a, b) => a.time_created - b.time_created || (a.id < b.id ? -1 : 1));
    // The ids of sessions descend with time: the oldest first, so that a fork comes after what it copied.
    return new Map([...bySession].sort(([a], [b]) => (a < b ? 1 : -1)));
  }

  /** The messages as the values that opencode keeps. Null: one that cannot be read. */
  async *messages(index: readonly OpencodeMessage[]): AsyncGenerator<object | null> {
    const one = readable(() => this.#database.prepare("select data from message where rowid = ?"));
    for (const [at, row] of index.entries()) {
      if (at % valuesAtOnce === valuesAtOnce - 1) await nextTurn();
      const stored = Stored.safeParse(readable(() => one.get(row.rowid))).data;
      const json = stored === undefined ? null : readJson(stored.data, foreignBounds);
      const value = json?.ok === true ? json.value : null;
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      yield isObject ? { ...value, id: row.id, sessionID: row.session_id } : null;
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  async *#rows(): AsyncGenerator<object> {
    if (!this.#hasMessages()) return;
    const page = readable(() =>
      this.#database.prepare(
        `select rowid, substr(id, 1, ${maxIdChars}) as id, substr(session_id, 1, ${maxIdChars}) as session_id, time_created, time_updated
         from message where rowid > ? order by rowid limit ?`,
      ),
    );
    for (let last = 0, count = 0; ; ) {
      const rows = readable(() => page.all(last, idsAtOnce)).map((row) => Object(row));
      count += rows.length;
      if (count > maxRows) throw unreadable(`it has more than ${maxRows} messages`);
      yield* rows;
      const at = Math.max(last, ...rows.map((row) => Numbered.safeParse(row).data?.rowid ?? 0));
      if (at <= last) return; // the end, or rows that do not ascend
      last = at;
      await nextTurn();
    }
  }
}

/** An error of SQLite is about the file: no database, a damaged one, a locked one, another version's. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error), error);
  }
}

// The search index: a projection of the logs in a table, with a full-text index of SQLite (FTS5). The newest hits come first:
// ranking by relevance would read every hit (150 ms in a million words instead of 5).
import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, type Kysely, sql } from "kysely";
import { type SearchHit, type SearchQuery, type SearchUpdate, searchTextKinds } from "../search.ts";
import type { Database } from "./database/database.ts";
import type { Tables } from "./database/tables.ts";

/** Mark a match in a snippet. They are removed from indexed text, so no text contains them. */
const opening = "\u0002";
const closing = "\u0003";
/** How many words a snippet has. */
const snippetWords = 28;

/** Texts in one transaction: about a millisecond. */
const batchSize = 32;

export class SearchIndex {
  readonly #db: Database;
  /** Compiled once: building a statement took as long as running it. */
  readonly #insert: CompiledQuery;
  readonly #upsertPosition: CompiledQuery;
  /** How far sessions are indexed, as the table has it. */
  readonly #known = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
    this.#insert = insertText(db.query).compile();
    this.#upsertPosition = upsertPosition(db.query).compile();
  }

  async index(updates: readonly SearchUpdate[]): Promise<void> {
    for (const { session, texts, upTo, forgetBefore } of updates) {
      if (forgetBefore !== undefined) await this.#db.write(...this.#deleteBefore(session, forgetBefore));
      const known = await this.upTo(session);
      if (upTo <= known) continue;
      await this.#addAll(
        session,
        texts.filter(({ seq }) => seq > known),
        upTo,
      );
    }
  }

  /** Adds texts in batches and yields in between. Each batch commits together with its position. */
  async #addAll(session: string, entries: SearchUpdate["texts"], upTo: number): Promise<void> {
    let at = 0;
    do {
      let end = Math.min(at + batchSize, entries.length);
      while (end < entries.length && entries[end]?.seq === entries[end - 1]?.seq) end++;
      const next = entries[end];
      const position = next === undefined ? upTo : next.seq - 1;
      const added = this.#add(session, entries.slice(at, end));
      await this.#db.write(...added, this.#setPosition(session, position));
      this.#known.set(session, position);
      at = end;
      if (at < entries.length) await setImmediate();
    } while (at < entries.length);
  }

  async upTo(session: string): Promise<number> {
    const known = this.#known.get(session);
    if (known !== undefined) return known;
    const row = await this.#db.query
      .selectFrom("said_upto")
      .select("seq")
      .where("session", "=", session)
      .executeTakeFirst();
    const seq = row?.seq ?? 0;
    this.#known.set(session, seq);
    return seq;
  }

  async unindexed(): Promise<string[]> {
    const rows = await this.#db.query
      .selectFrom("sessions")
      .leftJoin("said_upto", "said_upto.session", "sessions.id")
      .select("sessions.id")
      .where(({ eb, fn }) => eb("sessions.seq", ">", fn.coalesce("said_upto.seq", sql<number>`0`)))
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Removes everything of a session. The caller runs it with the session's deletion. */
  deleteSession(session: string): CompiledQuery[] {
    this.#known.delete(session);
    return [
      ...this.#deleteBefore(session, Number.MAX_SAFE_INTEGER),
      this.#db.query.deleteFrom("said_upto").where("session", "=", session).compile(),
    ];
  }

  async search({ terms, sessions, kinds = searchTextKinds, limit }: SearchQuery): Promise<SearchHit[]> {
    const match = expression(terms);
    if (match === "" || sessions?.length === 0) return [];
    // One parameter for all sessions: there may be more of them than a statement can have parameters.
    const where =
      sessions === undefined
        ? sql``
        : sql`and said.session in (select value from json_each(${JSON.stringify(sessions)}))`;
    const { rows } = await sql<Omit<SearchHit, "snippet" | "time"> & { time: number; snippet: string }>`
      select said.session, said.seq, said.part, said.kind, said.branch, said.time,
        snippet(said_words, 0, ${opening}, ${closing}, '…', ${sql.lit(snippetWords)}) as snippet
      from said_words join said on said.id = said_words.rowid
      where said_words match ${match}
        and said.kind in (select value from json_each(${JSON.stringify(kinds)})) ${where}
      order by said_words.rowid desc limit ${limit}`.execute(this.#db.query);
    return rows.map(({ time, snippet, ...hit }) => ({
      ...hit,
      time: new Date(time).toISOString(),
      snippet: pieces(snippet),
    }));
  }

  #setPosition(session: string, seq: number): CompiledQuery {
    return { ...this.#upsertPosition, parameters: [session, seq] };
  }

  /** `texts` must be all texts of their frames, because the full-text index is filled by a range of frames. */
  #add(session: string, texts: SearchUpdate["texts"]): CompiledQuery[] {
    const [first, last] = [texts[0], texts.at(-1)];
    if (first === undefined || last === undefined) return [];
    const rows = texts.map(({ seq, part, kind, branch, time, text }) => {
      const at = Date.parse(time);
      const parameters = [session, seq, part, kind, branch, Number.isNaN(at) ? 0 : at, plain(text)];
      return { ...this.#insert, parameters };
    });
    return [
      ...rows,
      sql`insert into said_words (rowid, text)
        select id, text from said where session = ${session} and seq between ${first.seq} and ${last.seq}`.compile(
        this.#db.query,
      ),
    ];
  }

  /** The full-text index has no texts of its own, so a deletion must provide them. */
  #deleteBefore(session: string, before: number): CompiledQuery[] {
    return [
      sql`insert into said_words (said_words, rowid, text)
        select 'delete', id, text from said where session = ${session} and seq < ${before}`.compile(
        this.#db.query,
      ),
      this.#db.query.deleteFrom("said").where("session", "=", session).where("seq", "<", before).compile(),
    ];
  }
}

/** Templates: their values are replaced by parameters. */
const insertText = (db: Kysely<Tables>) =>
  db.insertInto("said").values({ session: "", seq: 0, part: 0, kind: "", branch: "", time: 0, text: "" });

const upsertPosition = (db: Kysely<Tables>) =>
  db
    .insertInto("said_upto")
    .values({ session: "", seq: 0 })
    .onConflict((conflict) =>
      conflict.column("session").doUpdateSet(({ ref }) => ({ seq: ref("excluded.seq") })),
    );

const plain = (text: string): string => text.replaceAll(opening, " ").replaceAll(closing, " ");

/** The FTS5 expression of all terms. Each is quoted, so that nothing a person types is an operator. */
function expression(terms: SearchQuery["terms"]): string {
  return terms
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map(({ text, phrase }) => `"${text.replaceAll('"', '""')}"${phrase ? "" : "*"}`)
    .join(" ");
}

/** Splits a snippet at its marks. Line breaks become spaces. */
function pieces(snippet: string): SearchHit["snippet"] {
  const parts = snippet.replaceAll(/\s+/g, " ").split(opening);
  return parts
    .flatMap((part, index) => {
      if (index === 0) return [{ text: part, match: false }];
      const end = part.indexOf(closing);
      return [
        { text: part.slice(0, end), match: true },
        { text: part.slice(end + 1), match: false },
      ];
    })
    .filter(({ text }) => text !== "");
}

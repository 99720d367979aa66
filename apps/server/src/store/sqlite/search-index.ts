// What was said, to be found again: a projection of the logs in a table, its words in an index of SQLite's own
// (FTS5). The newest hits come first, because ranking them all by relevance would read every one of them:
// 150 ms in a million words against 5. Another database brings its own index and the same three methods.
import { setImmediate } from "node:timers/promises";
import { type CompiledQuery, sql } from "kysely";
import { type SearchHit, type SearchQuery, type SearchUpdate, searchTextKinds } from "../search.ts";
import type { Database } from "./database/database.ts";

/** Stand around what was found; no text has them, because they are taken out of what is indexed. */
const opening = "\u0002";
const closing = "\u0003";
/** How many words a snippet shows. */
const snippetWords = 28;

/** Entries in one transaction: about a millisecond. */
const atOnce = 32;

export class SearchIndex {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async index(news: readonly SearchUpdate[]): Promise<void> {
    for (const { session, said, upTo, forgetBefore } of news) {
      if (forgetBefore !== undefined) await this.#db.write(...this.#forget(session, forgetBefore));
      const known = await this.upTo(session);
      if (upTo <= known) continue;
      await this.#addAll(
        session,
        said.filter(({ seq }) => seq > known),
        upTo,
      );
    }
  }

  /** A little at a time, with everybody else in between: what was added so far, and how far that is, commit together. */
  async #addAll(session: string, entries: SearchUpdate["said"], upTo: number): Promise<void> {
    let at = 0;
    do {
      let end = Math.min(at + atOnce, entries.length);
      while (end < entries.length && entries[end]?.seq === entries[end - 1]?.seq) end++;
      const next = entries[end];
      const position = next === undefined ? upTo : next.seq - 1;
      const added = this.#add(session, entries.slice(at, end));
      await this.#db.write(...added, this.#setPosition(session, position));
      at = end;
      if (at < entries.length) await setImmediate();
    } while (at < entries.length);
  }

  async upTo(session: string): Promise<number> {
    const row = await this.#db.query
      .selectFrom("said_upto")
      .select("seq")
      .where("session", "=", session)
      .executeTakeFirst();
    return row?.seq ?? 0;
  }

  async behind(): Promise<string[]> {
    const rows = await this.#db.query
      .selectFrom("sessions")
      .leftJoin("said_upto", "said_upto.session", "sessions.id")
      .select("sessions.id")
      .where(({ eb, fn }) => eb("sessions.seq", ">", fn.coalesce("said_upto.seq", sql<number>`0`)))
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Everything of a session, to be done with its deletion. */
  forget(session: string): CompiledQuery[] {
    return [
      ...this.#forget(session, Number.MAX_SAFE_INTEGER),
      this.#db.query.deleteFrom("said_upto").where("session", "=", session).compile(),
    ];
  }

  async search({ terms, sessions, kinds = searchTextKinds, limit }: SearchQuery): Promise<SearchHit[]> {
    const match = expression(terms);
    if (match === "" || sessions?.length === 0) return [];
    // One parameter for all of them: there may be more sessions than a statement takes parameters.
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
    return this.#db.query
      .insertInto("said_upto")
      .values({ session, seq })
      .onConflict((conflict) => conflict.column("session").doUpdateSet({ seq }))
      .compile();
  }

  /** All of what some frames say: the index is told by their numbers. */
  #add(session: string, said: SearchUpdate["said"]): CompiledQuery[] {
    const [first, last] = [said[0], said.at(-1)];
    if (first === undefined || last === undefined) return [];
    const rows = said.map(({ seq, part, kind, branch, time, text }) => {
      const at = Date.parse(time);
      return { session, seq, part, kind, branch, time: Number.isNaN(at) ? 0 : at, text: plain(text) };
    });
    return [
      this.#db.query.insertInto("said").values(rows).compile(),
      sql`insert into said_words (rowid, text)
        select id, text from said where session = ${session} and seq between ${first.seq} and ${last.seq}`.compile(
        this.#db.query,
      ),
    ];
  }

  /** An index without texts of its own must be given what it is to forget. */
  #forget(session: string, before: number): CompiledQuery[] {
    return [
      sql`insert into said_words (said_words, rowid, text)
        select 'delete', id, text from said where session = ${session} and seq < ${before}`.compile(
        this.#db.query,
      ),
      this.#db.query.deleteFrom("said").where("session", "=", session).where("seq", "<", before).compile(),
    ];
  }
}

const plain = (text: string): string => text.replaceAll(opening, " ").replaceAll(closing, " ");

/** All terms in FTS5's words: each is quoted, so that nothing a person types is an operator. */
function expression(terms: SearchQuery["terms"]): string {
  return terms
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
    .map(({ text, phrase }) => `"${text.replaceAll('"', '""')}"${phrase ? "" : "*"}`)
    .join(" ");
}

/** Line breaks would tear a snippet apart. */
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

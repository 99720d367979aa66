// The table of announcements. An announcement is written with its deliveries in one transaction.
import type { Announcement, AnnouncementKey, AnnouncementStore } from "../outgoing/announcement-store.ts";
import type { Delivery } from "../outgoing/delivery.ts";
import type { Database } from "./database/database.ts";
import type { Tables } from "./database/tables.ts";

/** Longer than any period but `total`, whose alert may be raised again after it. The table stays small. */
const keptMs = 400 * 86_400_000;

export class AnnouncementTable implements AnnouncementStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(announcement: Announcement, deliveries: readonly Delivery[]): Promise<boolean> {
    if (await this.has(announcement)) return false;
    const { query } = this.#db;
    const { dismissed, ...rest } = announcement;
    const time = Date.parse(announcement.time);
    const row = { ...rest, time, period: Date.parse(announcement.period), dismissed: Number(dismissed) };
    await this.#db.write(
      query.insertInto("announcements").values(row).compile(),
      ...deliveries.map((delivery) => query.insertInto("deliveries").values(delivery).compile()),
      query
        .deleteFrom("announcements")
        .where("time", "<", time - keptMs)
        .compile(),
    );
    return true;
  }

  async has({ kind, subject, target, period }: AnnouncementKey): Promise<boolean> {
    const found = await this.#db.query
      .selectFrom("announcements")
      .select("id")
      .where("kind", "=", kind)
      .where("subject", "=", subject)
      .where("target", "=", target)
      .where("period", "=", Date.parse(period))
      .executeTakeFirst();
    return found !== undefined;
  }

  async list({ kinds, since, limit }: Parameters<AnnouncementStore["list"]>[0]): Promise<Announcement[]> {
    const rows = await this.#db.query
      .selectFrom("announcements")
      .selectAll()
      .where("kind", "in", kinds)
      .where("time", ">=", since)
      .orderBy("time", "desc")
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(fromRow);
  }

  async dismiss(id: string): Promise<boolean> {
    const { query } = this.#db;
    const found = await query
      .selectFrom("announcements")
      .select("id")
      .where("id", "=", id)
      .executeTakeFirst();
    if (found === undefined) return false;
    await this.#db.write(
      query.updateTable("announcements").set({ dismissed: 1 }).where("id", "=", id).compile(),
    );
    return true;
  }
}

const fromRow = ({ time, period, dismissed, ...row }: Tables["announcements"]): Announcement => ({
  ...row,
  time: new Date(time).toISOString(),
  period: new Date(period).toISOString(),
  dismissed: dismissed === 1,
});

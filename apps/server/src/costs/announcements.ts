// Announces something once in its period, also across restarts: alerts about spending, and the monthly report. What goes to webhooks
// is saved in the same transaction, so that no crash loses or repeats it.
import { randomUUID } from "node:crypto";
import type {
  Announcement,
  AnnouncementKey,
  AnnouncementStore,
} from "../store/outgoing/announcement-store.ts";
import type { Delivery } from "../store/outgoing/delivery.ts";

interface OutgoingEvent {
  type: "cost.alert" | "cost.report" | "audit.entry";
  time: string;
  data: Record<string, unknown>;
}

/** The webhooks, where the operator configured any. */
interface Outbox {
  prepare(event: OutgoingEvent): Delivery[];
  deliver(deliveries: readonly Delivery[]): void;
}

interface Announced {
  key: AnnouncementKey;
  time: number;
  /** Kept as JSON. */
  data: Record<string, unknown>;
  event: "cost.alert" | "cost.report";
  /** What webhooks get. */
  sent(announcement: Announcement): Record<string, unknown>;
}

export class Announcements {
  readonly #store: AnnouncementStore;
  #outbox: Outbox | undefined;

  constructor(store: AnnouncementStore) {
    this.#store = store;
  }

  useOutbox(outbox: Outbox): void {
    this.#outbox = outbox;
  }

  has(key: AnnouncementKey): Promise<boolean> {
    return this.#store.has(key);
  }

  /** Null: it was announced in this period before. */
  async announce({ key, time, data, event, sent }: Announced): Promise<Announcement | null> {
    const announcement: Announcement = {
      ...key,
      id: randomUUID(),
      time: new Date(time).toISOString(),
      data: JSON.stringify(data),
      dismissed: false,
    };
    const deliveries =
      this.#outbox?.prepare({ type: event, time: announcement.time, data: sent(announcement) }) ?? [];
    if (!(await this.#store.add(announcement, deliveries))) return null;
    this.#outbox?.deliver(deliveries);
    return announcement;
  }

  /** Sends an event that is recorded elsewhere. */
  send(event: OutgoingEvent): void {
    this.#outbox?.deliver(this.#outbox.prepare(event));
  }

  list(query: Parameters<AnnouncementStore["list"]>[0]): Promise<Announcement[]> {
    return this.#store.list(query);
  }

  dismiss(id: string): Promise<boolean> {
    return this.#store.dismiss(id);
  }
}

// What was announced once for a period: alerts about spending, and the monthly report.
import type { Delivery } from "./delivery.ts";

/** Kind, subject, target and period identify it. */
export interface AnnouncementKey {
  kind: string;
  /** What `target` is. */
  subject: string;
  target: string;
  /** The beginning of the period, RFC 3339. */
  period: string;
}

export interface Announcement extends AnnouncementKey {
  id: string;
  time: string;
  /** JSON, for the announcing part to read. */
  data: string;
  dismissed: boolean;
}

export interface AnnouncementStore {
  /**
   * Saves it with its deliveries to webhooks in one transaction: after a crash, both are there or neither. False: it was announced in
   * this period before, and nothing is saved.
   */
  add(announcement: Announcement, deliveries: readonly Delivery[]): Promise<boolean>;
  has(key: AnnouncementKey): Promise<boolean>;
  /** Newest first. */
  list(query: { kinds: readonly string[]; since: number; limit: number }): Promise<Announcement[]>;
  /** False: there is none with this id. */
  dismiss(id: string): Promise<boolean>;
}

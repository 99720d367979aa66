// Webhooks: every event is saved, sent, and sent again until the receiver takes it or hours have passed; a
// restart forgets none. Nothing in a session waits for any of this.

import { randomBytes } from "node:crypto";
import type { Webhook } from "../config/integrations-config.ts";
import type { Delivery, Store } from "../store/store.ts";
import type { IntegrationEvent } from "./events.ts";
import { postJson } from "./post.ts";
import { signedHeaders } from "./sign.ts";

interface WebhooksOptions {
  hooks: readonly Webhook[];
  store: Pick<Store, "saveDelivery" | "deleteDelivery" | "deliveries">;
  log: { warn(details: object, message: string): void };
  /** How long to wait after each failed attempt; after the last one it is given up. About five hours. */
  retryMs?: readonly number[];
  version: string;
}

const usualRetries = [5_000, 30_000, 120_000, 600_000, 3_600_000, 14_400_000];
/** Of one webhook: one that is down for days must not fill the database. */
const mostWaiting = 1_000;

export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #retries: readonly number[];
  readonly #waiting = new Map<string, Delivery>();
  readonly #sending = new Set<string>();
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#retries = options.retryMs ?? usualRetries;
  }

  /** Goes on with what the last server could not deliver. */
  async start(): Promise<void> {
    for (const delivery of await this.#options.store.deliveries()) {
      if (this.#hookOf(delivery) === undefined) await this.#options.store.deleteDelivery(delivery.id);
      else this.#waiting.set(delivery.id, delivery);
    }
    this.#next();
  }

  tell({ type, time, data }: IntegrationEvent): void {
    for (const { url, events } of this.#options.hooks) {
      if (!events.includes(type)) continue;
      const id = `msg_${randomBytes(12).toString("hex")}`;
      const body = JSON.stringify({ id, type, timestamp: time, data });
      this.#own(this.#accept({ id, url, event: type, body, attempts: 0, next_at: Date.now() }));
    }
  }

  /** Attempts under way are broken off; the next start goes on with them. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#work;
  }

  async #accept(delivery: Delivery): Promise<void> {
    const same = [...this.#waiting.values()].filter(({ url }) => url === delivery.url);
    if (same.length >= mostWaiting && same[0] !== undefined) await this.#giveUp(same[0], "too many wait");
    this.#waiting.set(delivery.id, delivery);
    await this.#options.store.saveDelivery(delivery);
    this.#next();
  }

  /** Starts what is due, one attempt per webhook at a time, and comes back when the next one is. */
  #next(): void {
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#timer);
    const now = Date.now();
    const idle = [...this.#waiting.values()].filter(({ url }) => !this.#sending.has(url));
    for (const delivery of idle.sort((a, b) => a.next_at - b.next_at)) {
      if (delivery.next_at <= now && !this.#sending.has(delivery.url)) this.#own(this.#send(delivery));
    }
    const later = idle.filter(({ url }) => !this.#sending.has(url)).map(({ next_at }) => next_at);
    if (later.length === 0) return;
    this.#timer = setTimeout(() => this.#next(), Math.max(0, Math.min(...later) - now)).unref();
  }

  async #send(delivery: Delivery): Promise<void> {
    this.#sending.add(delivery.url);
    try {
      const problem = await this.#attempt(delivery);
      if (this.#ending.signal.aborted && problem !== null) return;
      if (problem === null) await this.#forget(delivery);
      else await this.#failed(delivery, problem);
    } finally {
      this.#sending.delete(delivery.url);
      this.#next();
    }
  }

  /** Null when it was taken. */
  async #attempt({ id, url, body }: Delivery): Promise<string | null> {
    const secret = this.#hookOf({ url })?.secret ?? "";
    const headers = {
      "user-agent": `patchbay/${this.#options.version}`,
      ...signedHeaders(secret, id, Math.floor(Date.now() / 1000), body),
    };
    return (await postJson(url, body, headers, this.#ending.signal)).problem;
  }

  async #failed(delivery: Delivery, problem: string): Promise<void> {
    const wait = this.#retries[delivery.attempts];
    if (wait === undefined) return this.#giveUp(delivery, problem);
    // A little later than planned: many servers that failed together should not come back together.
    const next_at = Date.now() + Math.round(wait * (1 + Math.random() * 0.1));
    const again = { ...delivery, attempts: delivery.attempts + 1, next_at };
    this.#waiting.set(delivery.id, again);
    await this.#options.store.saveDelivery(again);
  }

  async #giveUp(delivery: Delivery, problem: string): Promise<void> {
    const { id, event, attempts } = delivery;
    // The address may hold a key: its host tells enough.
    const host = new URL(delivery.url).host;
    this.#options.log.warn({ id, event, host, attempts: attempts + 1, problem }, "a webhook was given up");
    await this.#forget(delivery);
  }

  async #forget({ id }: Delivery): Promise<void> {
    this.#waiting.delete(id);
    await this.#options.store.deleteDelivery(id);
  }

  #hookOf({ url }: Pick<Delivery, "url">): Webhook | undefined {
    return this.#options.hooks.find((hook) => hook.url === url);
  }

  #own(work: Promise<void>): void {
    const reported = work.catch((error: unknown) =>
      this.#options.log.warn({ err: error }, "a webhook could not be saved"),
    );
    this.#work = Promise.all([this.#work, reported]);
  }
}

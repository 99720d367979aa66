// Webhooks: every event is saved, sent, and retried until the receiver accepts it or hours have passed, across restarts. No session
// waits for it.

import { randomBytes } from "node:crypto";
import type { Webhook } from "../config/integrations-config.ts";
import type { Delivery } from "../store/outgoing/delivery.ts";
import type { Store } from "../store/store.ts";
import type { IntegrationEvent } from "./events.ts";
import { postJson } from "./post.ts";
import { signedHeaders } from "./sign.ts";

interface WebhooksOptions {
  hooks: readonly Webhook[];
  store: Pick<Store, "saveDelivery" | "deleteDelivery" | "deliveries">;
  log: { warn(details: object, message: string): void };
  /** How long to wait after each failed attempt; after the last one the delivery is given up. About five hours. */
  retryMs?: readonly number[];
  version: string;
}

const defaultRetries = [5_000, 30_000, 120_000, 600_000, 3_600_000, 14_400_000];
/** Per webhook: one that is down for days must not fill the database. */
const maxWaiting = 1_000;

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
    this.#retries = options.retryMs ?? defaultRetries;
  }

  /** Resumes the deliveries of the last server. */
  async start(): Promise<void> {
    for (const delivery of await this.#options.store.deliveries()) {
      if (this.#hookOf(delivery) === undefined) await this.#options.store.deleteDelivery(delivery.id);
      else this.#waiting.set(delivery.id, delivery);
    }
    this.#next();
  }

  send(event: IntegrationEvent): void {
    this.deliver(this.prepare(event));
  }

  /** Returns a delivery for each webhook that asked for this event. A caller may save them with what caused them. */
  prepare({ type, time, data }: IntegrationEvent): Delivery[] {
    return this.#options.hooks
      .filter(({ events }) => events.includes(type))
      .map(({ url }) => {
        const id = `msg_${randomBytes(12).toString("hex")}`;
        const body = JSON.stringify({ id, type, timestamp: time, data });
        return { id, url, event: type, body, attempts: 0, next_at: Date.now() };
      });
  }

  deliver(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) this.#track(this.#accept(delivery));
  }

  /** Aborts running attempts. The next start resumes them. */
  async close(): Promise<void> {
    this.#ending.abort();
    clearTimeout(this.#timer);
    await this.#work;
  }

  async #accept(delivery: Delivery): Promise<void> {
    const same = [...this.#waiting.values()].filter(({ url }) => url === delivery.url);
    if (same.length >= maxWaiting && same[0] !== undefined) await this.#giveUp(same[0], "too many wait");
    this.#waiting.set(delivery.id, delivery);
    await this.#options.store.saveDelivery(delivery);
    this.#next();
  }

  /** Starts due deliveries, one attempt per webhook at a time, and sets a timer for the next one. */
  #next(): void {
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#timer);
    const now = Date.now();
    const idle = [...this.#waiting.values()].filter(({ url }) => !this.#sending.has(url));
    for (const delivery of idle.sort((a, b) => a.next_at - b.next_at)) {
      if (delivery.next_at <= now && !this.#sending.has(delivery.url)) this.#track(this.#deliver(delivery));
    }
    const later = idle.filter(({ url }) => !this.#sending.has(url)).map(({ next_at }) => next_at);
    if (later.length === 0) return;
    this.#timer = setTimeout(() => this.#next(), Math.max(0, Math.min(...later) - now)).unref();
  }

  async #deliver(delivery: Delivery): Promise<void> {
    this.#sending.add(delivery.url);
    try {
      const problem = await this.#attempt(delivery);
      if (this.#ending.signal.aborted && problem !== null) return;
      if (problem === null) await this.#delete(delivery);
      else await this.#failed(delivery, problem);
    } finally {
      this.#sending.delete(delivery.url);
      this.#next();
    }
  }

  /** Null: accepted. */
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
    // Jitter: many servers whose attempts failed together should not retry together.
    const next_at = Date.now() + Math.round(wait * (1 + Math.random() * 0.1));
    const again = { ...delivery, attempts: delivery.attempts + 1, next_at };
    this.#waiting.set(delivery.id, again);
    await this.#options.store.saveDelivery(again);
  }

  async #giveUp(delivery: Delivery, problem: string): Promise<void> {
    const { id, event, attempts } = delivery;
    // The address may contain a key, so only its host is logged.
    const host = new URL(delivery.url).host;
    this.#options.log.warn(
      { id, event, host, attempts: attempts + 1, problem },
      "a webhook failed for the last time",
    );
    await this.#delete(delivery);
  }

  async #delete({ id }: Delivery): Promise<void> {
    this.#waiting.delete(id);
    await this.#options.store.deleteDelivery(id);
  }

  #hookOf({ url }: Pick<Delivery, "url">): Webhook | undefined {
    return this.#options.hooks.find((hook) => hook.url === url);
  }

  #track(work: Promise<void>): void {
    const reported = work.catch((error: unknown) =>
      this.#options.log.warn({ err: error }, "a webhook could not be saved"),
    );
    this.#work = Promise.all([this.#work, reported]);
  }
}

// Out to other systems: whoever listens to what happens in sessions, if the operator asked for any of it.
import type { OtlpTarget, Webhook } from "../config/integrations-config.ts";
import type { TurnEventListener } from "../projections/turn-event.ts";
import type { Store } from "../store/store.ts";
import { eventOf, type OutwardEvent } from "./events.ts";
import { Otlp } from "./otlp.ts";
import { Spans } from "./spans.ts";
import { Webhooks } from "./webhooks.ts";

interface OutwardOptions {
  webhooks: readonly Webhook[];
  otlp: OtlpTarget | undefined;
  store: Store;
  version: string;
  log: { warn(details: object, message: string): void };
}

export interface Outward {
  /** Undefined when nobody listens: then nothing is even looked at. */
  turnEvents: TurnEventListener | undefined;
  /** For events that come from no session: a budget's, say. */
  tell(event: OutwardEvent): void;
  close(): Promise<void>;
}

export async function startOutward(options: OutwardOptions): Promise<Outward> {
  const { webhooks: hooks, otlp: target, store, version, log } = options;
  const webhooks = new Webhooks({ hooks, store, version, log });
  await webhooks.start();
  const otlp = target === undefined ? undefined : new Otlp({ ...target, version, log });
  const spans = new Spans();
  const listen: TurnEventListener = (turnEvent) => {
    const event = hooks.length > 0 ? eventOf(turnEvent) : null;
    if (event !== null) webhooks.tell(event);
    if (otlp === undefined) return;
    const span = spans.of(turnEvent);
    if (span !== null) otlp.add(span);
  };
  return {
    turnEvents: hooks.length > 0 || otlp !== undefined ? listen : undefined,
    tell: (event) => webhooks.tell(event),
    async close() {
      await Promise.all([webhooks.close(), otlp?.close()]);
    },
  };
}

// Starts the integrations that the operator has configured.
import type { OtlpTarget, Webhook } from "../config/integrations-config.ts";
import type { TurnEventListener } from "../projections/turn-event.ts";
import type { Store } from "../store/store.ts";
import { type IntegrationEvent, turnEventOf } from "./events.ts";
import { Otlp } from "./otlp.ts";
import { Spans } from "./spans.ts";
import { Webhooks } from "./webhooks.ts";

interface IntegrationsOptions {
  webhooks: readonly Webhook[];
  otlp: OtlpTarget | undefined;
  store: Store;
  version: string;
  log: { warn(details: object, message: string): void };
}

export interface Integrations {
  /** Undefined: no integration needs turn events, so none are built. */
  turnEvents: TurnEventListener | undefined;
  /** For events that do not come from a session, such as a budget's. */
  send(event: IntegrationEvent): void;
  /** For events that are saved with what caused them. */
  outbox: Pick<Webhooks, "prepare" | "deliver">;
  close(): Promise<void>;
}

export async function startIntegrations(options: IntegrationsOptions): Promise<Integrations> {
  const { webhooks: hooks, otlp: target, store, version, log } = options;
  const webhooks = new Webhooks({ hooks, store, version, log });
  await webhooks.start();
  const otlp = target === undefined ? undefined : new Otlp({ ...target, version, log });
  const spans = new Spans();
  const listen: TurnEventListener = (turnEvent) => {
    const event = hooks.length > 0 ? turnEventOf(turnEvent) : null;
    if (event !== null) webhooks.send(event);
    if (otlp === undefined) return;
    const span = spans.of(turnEvent);
    if (span !== null) otlp.add(span);
  };
  return {
    turnEvents: hooks.length > 0 || otlp !== undefined ? listen : undefined,
    send: (event) => webhooks.send(event),
    outbox: webhooks,
    async close() {
      await Promise.all([webhooks.close(), otlp?.close()]);
    },
  };
}

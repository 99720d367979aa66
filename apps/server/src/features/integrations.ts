import { budgetEventOf } from "../integrations/events.ts";
import { startIntegrations } from "../integrations/integrations.ts";
import { feature } from "./feature.ts";

/** Webhooks and OpenTelemetry, if the operator configured any. */
export const integrationsFeature = feature({
  name: "integrations",
  needs: ["config", "version", "log", "store", "hub", "budgets", "announcements"],
  adds: [],
  async start({ config: { webhooks, otlp }, version, log, store, hub, budgets, announcements }) {
    const started = await startIntegrations({ webhooks, otlp, store, version, log });
    if (started.turnEvents !== undefined) hub.onTurnEvent(started.turnEvents);
    budgets.onEvent((event, budget) => {
      const sent = budgetEventOf(event, budget);
      if (sent !== null) started.send(sent);
    });
    announcements.useOutbox(started.outbox);
    return { close: () => started.close() };
  },
});

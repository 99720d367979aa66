// Builds the events of webhooks from turn events and budget events. They contain no prompt, answer or tool output, because they are
// sent to other machines.
import type { Budget, BudgetEvent } from "@patchbay/protocol";
import type { WebhookEvent } from "../config/integrations-config.ts";
import type { EventSession, TurnEvent } from "../projections/turn-event.ts";

export interface IntegrationEvent {
  type: WebhookEvent;
  /** RFC 3339. */
  time: string;
  /** The fields depend on the type. */
  data: Record<string, unknown>;
}

export function turnEventOf(event: TurnEvent): IntegrationEvent | null {
  if (event.type === "question") {
    const { id, method, title } = event;
    const data = { session: sessionOf(event.session), question: { id, method, title } };
    return { type: "session.needs_you", time: iso(event.time), data };
  }
  if (event.type !== "turn_ended") return null;
  const { turn, started, ended, calls, input, output, cost_nanos, unpriced, error } = event;
  return {
    type: `turn.${event.outcome}`,
    time: iso(ended),
    data: {
      session: sessionOf(event.session),
      turn: {
        turn,
        started: iso(started),
        ended: iso(ended),
        calls,
        input,
        output,
        cost_usd: cost_nanos / 1e9,
        unpriced,
        ...(error === undefined ? {} : { error }),
      },
    },
  };
}

/** Null: no webhook gets this event. */
export function budgetEventOf(event: BudgetEvent, budget: Budget): IntegrationEvent | null {
  if (event.event !== "warned" && event.event !== "exceeded") return null;
  const type = event.event === "warned" ? "budget.warning" : "budget.exceeded";
  return { type, time: event.time, data: { message: event.message, session: event.session, budget } };
}

const sessionOf = (session: EventSession) => ({ ...session, path: `/sessions/${session.id}` });
const iso = (time: number): string => new Date(time).toISOString();

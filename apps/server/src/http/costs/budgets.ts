// Routes for budgets: list, create, change, delete, grant, events.
import { BudgetChange, BudgetGrant, BudgetRemoval, NewBudget } from "@patchbay/protocol";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { actorOf } from "../../access/guard.ts";
import { keptOwner } from "../../access/people.ts";
import { may } from "../../access/policy.ts";
import type { Rights } from "../../access/rights.ts";
import type { Budgets } from "../../costs/budgets/budgets.ts";
import { spenderOf } from "../../projections/ledger-entry.ts";
import type { Hub } from "../../session/hub/hub.ts";
import { parse } from "../requests/parse.ts";

const Id = z.object({ id: z.string() });
const ListQuery = z.object({ session: z.optional(z.string()) });
const EventsQuery = z.object({
  budget: z.optional(z.string()),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000)), 100),
});

/** The holder of the token. */
const owner = "owner";

export function budgetRoutes(app: FastifyInstance, budgets: Budgets, hub: Hub, rights: Rights): void {
  app.get("/api/budgets", may("costs.read"), async (request) => {
    const { session } = parse(ListQuery, request.query);
    const actor = actorOf(request);
    if (session !== undefined) {
      rights.check(actor, "session.watch", session);
      return { budgets: budgets.listFor(spenderOf(hub.record(session))) };
    }
    await hub.spendingWritten();
    if (actor.person === null || rights.refusal(actor, "costs.read-all") === null)
      return { budgets: await budgets.listWithForecasts() };
    // What others spend is not theirs to see.
    const own = { session: "", person: keptOwner(actor.person) ?? "", cwd: "", worker: "" };
    return { budgets: budgets.listFor(own).filter(({ scope }) => scope === "person") };
  });

  app.post("/api/budgets", may("budgets.change"), async (request, reply) => {
    const budget = await budgets.create(parse(NewBudget, request.body), owner);
    return reply.code(201).send({ budget });
  });

  app.patch("/api/budgets/:id", may("budgets.change"), async (request) => {
    const { id } = parse(Id, request.params);
    return { budget: await budgets.change(id, parse(BudgetChange, request.body), owner) };
  });

  app.delete("/api/budgets/:id", may("budgets.change"), async (request, reply) => {
    const { reason = "" } = parse(BudgetRemoval, request.body ?? {});
    await budgets.remove(parse(Id, request.params).id, reason, owner);
    return reply.code(204).send();
  });

  app.post("/api/budgets/:id/grant", may("budgets.change"), async (request) => {
    const { id } = parse(Id, request.params);
    return { budget: await budgets.grant(id, parse(BudgetGrant, request.body), owner) };
  });

  app.get("/api/budgets/events", may("costs.read-all"), async (request) => {
    const { budget, limit } = parse(EventsQuery, request.query);
    return { events: await budgets.events(budget, limit) };
  });
}

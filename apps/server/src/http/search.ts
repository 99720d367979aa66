// The route of the search over all sessions.
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { actorOf } from "../access/guard.ts";
import { may } from "../access/policy.ts";
import type { Rights } from "../access/rights.ts";
import type { Hub } from "../session/hub/hub.ts";
import { type SearchQuery, searchTextKinds } from "../store/search.ts";
import type { Store } from "../store/store.ts";
import { parse } from "./requests/parse.ts";

const Search = z.object({
  q: z.string().check(z.maxLength(500)),
  cwd: z.optional(z.string()),
  session: z.optional(z.string()),
  kind: z.optional(z.string()),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 50),
});
const Kinds = z.array(z.enum(searchTextKinds));

/** More terms do not narrow the result further. */
const maxTerms = 16;

export function searchRoutes(app: FastifyInstance, hub: Hub, store: Store, rights: Rights): void {
  app.get("/api/search", may("sessions.search"), async (request) => {
    const actor = actorOf(request);
    const { q, cwd, session, kind, limit } = parse(Search, request.query);
    const kinds = kind === undefined ? undefined : parse(Kinds, kind.split(","));
    // Searches only sessions of the list, so that sessions in deletion are not found, and uses their current names.
    const views = new Map(
      hub
        .views()
        .filter(({ id }) => rights.sees(actor, id))
        .filter((view) => (cwd === undefined || view.cwd === cwd) && (session ?? view.id) === view.id)
        .map((view) => [view.id, view]),
    );
    const found = await store.search({
      terms: readTerms(q),
      sessions: [...views.keys()],
      kinds,
      limit: limit + 1,
    });
    const hits = found.slice(0, limit).map((hit) => {
      const view = views.get(hit.session);
      return { ...hit, name: view?.name ?? "", cwd: view?.cwd ?? "" };
    });
    return { hits, more: found.length > limit };
  });
}

/** Splits a query such as `retry "not found"` into beginnings of words and quoted phrases. */
export function readTerms(text: string): SearchQuery["terms"] {
  return [...text.matchAll(/"([^"]*)"?|([^\s"]+)/g)]
    .map(([, phrase, word]) => ({ text: (phrase ?? word ?? "").trim(), phrase: phrase !== undefined }))
    .filter((term) => term.text !== "")
    .slice(0, maxTerms);
}

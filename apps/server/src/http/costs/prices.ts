// Routes for prices: the current catalog, the rates of a model, refresh, and repricing of past calls.
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import * as z from "zod/mini";
import { may } from "../../access/policy.ts";
import type { CatalogSource } from "../../costs/prices/catalog-source.ts";
import type { Prices } from "../../costs/prices/prices.ts";
import type { LedgerEntry, PriceChange, Repricing } from "../../store/ledger-types.ts";
import type { Store } from "../../store/store.ts";
import { parse } from "../requests/parse.ts";
import { Filters, readRange } from "./usage-query.ts";

const Name = z.optional(z.string());
const PricesQuery = z.object({ provider: z._default(z.string(), ""), model: Name });
/** As many as a list of models has at most, and a few more. */
const RatesBody = z.strictObject({
  models: z
    .array(
      z.strictObject({
        provider: z.string().check(z.maxLength(200)),
        model: z.string().check(z.maxLength(200)),
      }),
    )
    .check(z.maxLength(2_000)),
});
const Source = z.enum(["worker", "catalog", "override", "none", "incomplete"]);
const RepriceBody = z.strictObject({
  ...Filters.shape,
  /** The sources of prices that may change. Prices that workers reported change only if "worker" is listed. */
  sources: z._default(z.array(Source).check(z.minLength(1)), ["catalog", "override", "none", "incomplete"]),
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(1_000)),
  dry_run: z._default(z.boolean(), false),
});

/** How many repricings the response lists. The table has all of them. */
const shownRepricings = 50;

interface PriceRouteOptions {
  store: Store;
  prices: Prices;
  catalogSource: CatalogSource;
  /** Called with the changed entries. */
  repriced(changes: readonly PriceChange[]): void;
  log: FastifyBaseLogger;
}

export function priceRoutes(app: FastifyInstance, options: PriceRouteOptions): void {
  const { store, prices, catalogSource, log } = options;

  const describe = () => ({
    version: prices.catalog.version,
    sources: prices.catalog.sources,
    models: prices.catalog.size,
    /** The source of refreshes. */
    source: catalogSource.name ?? null,
    fetched_at: catalogSource.fetchedAt,
    ...(catalogSource.problem === undefined ? {} : { problem: catalogSource.problem }),
  });

  app.get("/api/prices", may("costs.read"), async (request) => {
    const { provider, model } = parse(PricesQuery, request.query);
    const repricings = (await store.listRepricings(shownRepricings)).map(toResponse);
    if (model === undefined) return { catalog: describe(), repricings };
    return { catalog: describe(), repricings, price: prices.ratesOf(provider, model) };
  });

  app.post("/api/prices/rates", may("costs.read"), async (request) => {
    const { models } = parse(RatesBody, request.body);
    return { rates: models.map(({ provider, model }) => prices.ratesOf(provider, model)?.rates ?? null) };
  });

  app.post("/api/prices/refresh", may("prices.change"), async () => {
    await catalogSource.refresh();
    return { catalog: describe() };
  });

  app.post("/api/prices/reprice", may("prices.change"), async (request) => {
    const asked = parse(RepriceBody, request.body);
    const { from: _from, to: _to, tz: _tz, sources, reason, dry_run, ...where } = asked;
    const repricing = await store.reprice(
      {
        query: { ...readRange(asked), where, sources },
        by: owner,
        reason,
        catalog: prices.catalog.version,
        dryRun: dry_run,
      },
      (entry) => prices.currentPrice(callOf(entry)),
      (changes) => options.repriced(changes),
    );
    const response = toResponse(repricing);
    if (!dry_run) log.info({ repricing: response }, "prices were changed after the fact");
    return { repricing: response, dry_run };
  });
}

/** The holder of the token. */
const owner = "owner";

const callOf = (entry: LedgerEntry) => ({
  ...entry,
  time: Date.parse(entry.time),
  reported_nanos: null,
  incomplete: entry.price === "incomplete",
});

const toResponse = ({ before_nanos, after_nanos, query, ...repricing }: Repricing) => ({
  ...repricing,
  query: JSON.parse(query) as unknown,
  before_usd: before_nanos / 1e9,
  after_usd: after_nanos / 1e9,
});

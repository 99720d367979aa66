import { CostAlerts } from "../costs/alerts/cost-alerts.ts";
import { CatalogSource } from "../costs/prices/catalog-source.ts";
import { makeMonthReport } from "../costs/report/month-report.ts";
import { ReportSchedule } from "../costs/report/report-schedule.ts";
import { CostSettings } from "../costs/settings/cost-settings.ts";
import { alertRoutes } from "../http/costs/alerts.ts";
import { budgetRoutes } from "../http/costs/budgets.ts";
import { costSettingsRoutes } from "../http/costs/cost-settings.ts";
import { planLimitRoutes } from "../http/costs/plan-limits.ts";
import { priceRoutes } from "../http/costs/prices.ts";
import { reconcileRoutes } from "../http/costs/reconcile.ts";
import { reportRoutes } from "../http/costs/report.ts";
import { usageRoutes } from "../http/costs/usage.ts";
import { alertedSessions } from "../session/hub/alerted-sessions.ts";
import { feature } from "./feature.ts";

/** Routes for usage, budgets and prices. Sessions keep the ledger and obey budgets without it. */
export const costsFeature = feature({
  name: "costs",
  needs: [
    "config",
    "log",
    "store",
    "prices",
    "budgets",
    "planLimits",
    "announcements",
    "hub",
    "http",
    "rights",
    "access",
  ],
  adds: [
    "GET /api/usage",
    "GET /api/usage.csv",
    "GET /api/usage/calls",
    "GET /api/usage/calls.csv",
    "GET /api/usage/calls.jsonl",
    "GET /api/usage/focus.csv",
    "GET /api/usage/turns",
    "GET /api/usage/sessions",
    "GET /api/usage/distribution",
    "GET /api/usage/cache",
    "GET /api/usage/summary",
    "GET /api/usage/now",
    "GET /api/budgets",
    "POST /api/budgets",
    "PATCH /api/budgets/:id",
    "DELETE /api/budgets/:id",
    "POST /api/budgets/:id/grant",
    "GET /api/budgets/events",
    "GET /api/prices",
    "POST /api/prices/rates",
    "POST /api/prices/refresh",
    "POST /api/prices/reprice",
    "GET /api/costs/alerts",
    "POST /api/costs/alerts/:id/dismiss",
    "GET /api/costs/report",
    "POST /api/costs/reconcile",
    "GET /api/costs/plan-limits",
    "GET /api/costs/settings",
    "PATCH /api/costs/settings",
  ],
  async start({ config, log, store, prices, budgets, planLimits, announcements, hub, http, rights, access }) {
    const catalogSource = new CatalogSource({
      source: config.prices.source,
      home: config.home,
      changed: (catalog) => {
        if (catalog.version !== prices.catalog.version)
          log.info({ version: catalog.version }, "another price catalog is in use");
        prices.catalog = catalog;
      },
      failed: (problem) => log.warn(problem),
    });
    await catalogSource.start(config.prices.refresh_hours * 3_600_000);
    const configured = { discounts: config.prices.discounts, currency: config.costs.currency };
    const costSettings = new CostSettings(store.settings, configured, prices);
    await costSettings.load();
    costSettingsRoutes(http, costSettings);
    usageRoutes(http, { store, hub, prices, rights });
    budgetRoutes(http, budgets, hub, rights);
    priceRoutes(http, {
      store,
      prices,
      catalogSource,
      log,
      repriced: (changes) => {
        hub.repriced(changes);
        budgets.repriced(changes);
      },
    });
    const alerts = new CostAlerts({
      ...{ store, announcements, log, settings: config.costs.alerts, zone: config.costs.time_zone },
      budgets: () => budgets.listWithForecasts(),
      personOf: (person) => access.people.ofLedger(person),
      raised: async (alert) => {
        const { id, kind, message, budget } = alert;
        log.info({ alert: id, kind }, message);
        const sessions = await alertedSessions(alert, { store, hub, budgets }, Date.now());
        hub.budgetChanged(sessions, { event: "alert", message, ...(budget === undefined ? {} : { budget }) });
      },
    });
    alertRoutes(http, alerts);
    const reportOf = async (month: string, zone: string, now: number) =>
      makeMonthReport(store, {
        ...{ month, zone, now, budgets: await budgets.listWithForecasts() },
        personName: (person) => access.people.ofLedger(person)?.name,
      });
    reportRoutes(http, hub, reportOf);
    planLimitRoutes(http, planLimits);
    await reconcileRoutes(http, store, hub);
    const { report: settings, time_zone: zone } = config.costs;
    const schedule =
      settings === undefined
        ? undefined
        : new ReportSchedule({ settings, zone, announcements, reportOf, log });
    return {
      loaded: () => {
        alerts.start();
        schedule?.start();
      },
      stop: async () => {
        await Promise.all([alerts.stop(), schedule?.stop()]);
      },
      close: () => catalogSource.stop(),
    };
  },
});

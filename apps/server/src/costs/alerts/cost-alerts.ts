// Raises alerts about spending, each once in its period: a project, model or person that costs more than usual today, a model whose calls have
// no known price this month, and a budget whose forecast is above its limit.
import { AlertDetails, AlertKind, type Budget, CostAlert } from "@patchbay/protocol";
import type { AlertSettings, SpikeSettings } from "../../config/alert-settings.ts";
import { dayStart, daysBefore, monthStart } from "../../store/calendar.ts";
import type { LedgerDimension, LedgerSums } from "../../store/ledger-types.ts";
import type { Announcement, AnnouncementKey } from "../../store/outgoing/announcement-store.ts";
import { quarterMs } from "../../store/quarters.ts";
import type { Store } from "../../store/store.ts";
import type { Announcements } from "../announcements.ts";
import * as messages from "./alert-messages.ts";
import { isSpike, type PastDay, usualSpend } from "./usual.ts";

interface CostAlertsOptions {
  store: Pick<Store, "queryLedger">;
  announcements: Announcements;
  settings: AlertSettings;
  /** Of the days and months that alerts are about. */
  zone: string;
  /** Whom an entry of the ledger names; undefined: the server has no people. */
  personOf(person: string): { id: string; name: string } | undefined;
  /** With their forecasts. */
  budgets(): Promise<readonly Budget[]>;
  /** Called for each new alert. */
  raised(alert: CostAlert): Promise<void>;
  log: { warn(details: object, message: string): void };
}

interface Found {
  key: AnnouncementKey;
  details: AlertDetails;
}

const subjects = [
  ["project", "cwd"],
  ["model", "model"],
  ["person", "person"],
] as const satisfies readonly (readonly [CostAlert["subject"], LedgerDimension])[];

/** A period has a few alerts. A ledger with thousands of projects must not flood a webhook. */
const mostPerKind = 20;

export class CostAlerts {
  readonly #options: CostAlertsOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  /** What was spent at the last check. As long as it is the same, there is nothing new to find. */
  #checked = "";

  constructor(options: CostAlertsOptions) {
    this.#options = options;
  }

  start(): void {
    const next = (): void => {
      this.#running = this.check(Date.now()).catch((error: unknown) =>
        this.#options.log.warn({ err: error }, "spending could not be checked for alerts"),
      );
      void this.#running.then(() => {
        if (this.#timer !== undefined) this.#timer = schedule();
      });
    };
    const schedule = (): NodeJS.Timeout =>
      setTimeout(next, this.#options.settings.check_seconds * 1_000).unref();
    this.#timer = schedule();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  async check(now: number): Promise<void> {
    const { settings, zone } = this.#options;
    const month = await this.#sums("model", monthStart(now, zone));
    const seen = JSON.stringify([dayStart(now, zone), [...month]]);
    if (seen === this.#checked) return;
    const found = [
      ...(settings.spikes === "off" ? [] : await this.#spikes(now, settings.spikes)),
      ...(settings.unpriced === "off" ? [] : this.#unpriced(month, now, settings.unpriced.calls)),
      ...(settings.forecast === "off" ? [] : await this.#forecasts(settings.forecast.percent)),
    ];
    for (const alert of found) await this.#raise(alert, now);
    this.#checked = seen;
  }

  /** Newest first. */
  async list(since: number, limit: number): Promise<CostAlert[]> {
    const found = await this.#options.announcements.list({ kinds: AlertKind.options, since, limit });
    return found.map(toAlert);
  }

  dismiss(id: string): Promise<boolean> {
    return this.#options.announcements.dismiss(id);
  }

  async #spikes(now: number, settings: SpikeSettings): Promise<Found[]> {
    const { zone } = this.#options;
    const today = dayStart(now, zone);
    const found = await Promise.all(
      subjects.map(async ([subject, dimension]): Promise<Found[]> => {
        const spent = [...(await this.#sums(dimension, today))].filter(
          ([target, { cost_usd }]) =>
            this.#isNamed(subject, target) && cost_usd > 0 && cost_usd >= settings.minimum_usd,
        );
        if (spent.length === 0) return [];
        const past = await this.#pastDays(dimension, now, settings.days);
        return spent.flatMap(([target, { cost_usd }]) => {
          const usual = usualSpend(past(target), settings.known_days);
          if (usual === null || !isSpike(cost_usd, usual, settings)) return [];
          const person = subject === "person" ? this.#options.personOf(target) : undefined;
          const message = messages.spike(subject, person?.name ?? target, cost_usd, usual);
          const key = { kind: "spike", subject, target: person?.id ?? target, period: iso(today) };
          return [{ key, details: { message, spent_usd: cost_usd, usual_usd: usual } }];
        });
      }),
    );
    return found.flatMap((each) =>
      each.sort((a, b) => (b.details.spent_usd ?? 0) - (a.details.spent_usd ?? 0)).slice(0, mostPerKind),
    );
  }

  #isNamed(subject: (typeof subjects)[number][0], target: string): boolean {
    return subject === "person" ? this.#options.personOf(target) !== undefined : target !== "";
  }

  async #pastDays(
    dimension: LedgerDimension,
    now: number,
    days: number,
  ): Promise<(target: string) => PastDay[]> {
    const { zone } = this.#options;
    const past = await Promise.all(
      Array.from({ length: days }, async (_, index) => {
        const start = dayStart(now, zone, -index - 1);
        const end = dayStart(now, zone, -index);
        // The store sums by quarters of an hour. Today is compared with a little more of the other days, never with less.
        const sameTime = Math.ceil(daysBefore(now, zone, index + 1) / quarterMs) * quarterMs;
        const [soFar, whole] = [
          await this.#sums(dimension, start, Math.min(sameTime, end)),
          await this.#sums(dimension, start, end),
        ];
        return (target: string): PastDay => ({
          soFar: soFar.get(target)?.cost_usd ?? 0,
          whole: whole.get(target)?.cost_usd ?? 0,
        });
      }),
    );
    return (target) => past.map((day) => day(target));
  }

  #unpriced(month: ReadonlyMap<string, LedgerSums>, now: number, calls: number): Found[] {
    const period = iso(monthStart(now, this.#options.zone));
    return [...month]
      .map(([target, { unpriced = 0 }]) => ({ target, count: unpriced }))
      .filter(({ target, count }) => target !== "" && count >= calls)
      .sort((a, b) => b.count - a.count)
      .slice(0, mostPerKind)
      .map(({ target, count }) => ({
        key: { kind: "unpriced", subject: "model", target, period },
        details: { message: messages.unpriced(target, count), calls: count },
      }));
  }

  async #forecasts(percent: number): Promise<Found[]> {
    const budgets = await this.#options.budgets();
    const found = budgets.flatMap((budget) =>
      budget.status.flatMap(({ target, from, to, forecast_usd, limit_usd, state }): Found[] => {
        // A budget that is over its limit has announced that already.
        if (from === null || to === null || forecast_usd === undefined || state === "over") return [];
        if (forecast_usd * 100 <= limit_usd * percent) return [];
        const end = new Intl.DateTimeFormat("en-GB", { timeZone: budget.time_zone, dateStyle: "medium" });
        const last = end.format(Date.parse(to) - 1);
        const message = messages.forecast(budget.name, target, forecast_usd, limit_usd, last);
        return [
          {
            // The id of a budget stays when it is renamed.
            key: { kind: "forecast", subject: `budget ${budget.id}`, target, period: from },
            details: { message, budget: budget.id, budget_name: budget.name, forecast_usd, limit_usd },
          },
        ];
      }),
    );
    return found.slice(0, mostPerKind);
  }

  async #raise({ key, details }: Found, now: number): Promise<void> {
    const { announcements, raised } = this.#options;
    if (await announcements.has(key)) return;
    const sent = (announcement: Announcement) => ({ alert: toAlert(announcement) });
    const announcement = await announcements.announce({
      ...{ key, time: now, event: "cost.alert", sent },
      data: details,
    });
    if (announcement !== null) await raised(toAlert(announcement));
  }

  async #sums(dimension: LedgerDimension, from: number, to?: number): Promise<Map<string, LedgerSums>> {
    const rows = await this.#options.store.queryLedger({
      from: iso(from),
      to: to === undefined ? undefined : iso(to),
      groupBy: [dimension],
    });
    return new Map(rows.map(({ keys, usage }) => [keys[dimension] ?? "", usage]));
  }
}

const toAlert = ({ id, time, kind, subject, target, period, data, dismissed }: Announcement): CostAlert =>
  CostAlert.parse({
    ...AlertDetails.parse(JSON.parse(data)),
    ...{ id, time, kind, target, period, dismissed },
    subject: subject.startsWith("budget ") ? "budget" : subject,
  });

const iso = (time: number): string => new Date(time).toISOString();

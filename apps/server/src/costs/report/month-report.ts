// The figures of a month's report: the total, by project, model, person and day, each beside the month before, and the state of budgets.
import type { Budget } from "@patchbay/protocol";
import { dateStart, monthBefore, monthStart } from "../../store/calendar.ts";
import { addSums, type LedgerGroup, type LedgerSums, noSums } from "../../store/ledger-types.ts";
import { quarterMs } from "../../store/quarters.ts";
import type { Store } from "../../store/store.ts";
import { columns } from "../usage/usage-csv.ts";

type Figures = ReturnType<typeof columns>;

/** `name` null: all others; empty: the ledger has no name. `before_usd`: of the month before. */
type ReportRow = Figures & { name: string | null; before_usd: number };

export interface MonthReport {
  /** `2026-10`. */
  month: string;
  time_zone: string;
  from: string;
  to: string;
  /** False: the month is running, so the figures are of it so far. */
  complete: boolean;
  made_at: string;
  total: Figures;
  /** The month before. Of a running month: up to the same time of it. */
  before: Figures & { from: string; to: string };
  /** The most expensive first. The last row may be the sum of all others. */
  projects: ReportRow[];
  models: ReportRow[];
  /** Empty as long as the ledger has no persons. */
  people: ReportRow[];
  /** Every day of the month that has begun. */
  days: (Figures & { day: string })[];
  /** Their state when the report was made, which may be in another period. */
  budgets: Budget[];
}

interface ReportOptions {
  month: string;
  zone: string;
  now: number;
  budgets: Budget[];
  /** Whom an entry of the ledger names; undefined: the server has no people, or none of this id. */
  personName?(person: string): string | undefined;
}

/** More rows are not read on paper. */
const mostRows = 20;
/** A report is one document; a server may have thousands of budgets by session. */
const mostBudgets = 30;

export async function makeMonthReport(
  store: Pick<Store, "queryLedger">,
  { month, zone, now, budgets, personName = () => undefined }: ReportOptions,
): Promise<MonthReport> {
  const from = dateStart(`${month}-01`, zone);
  const to = monthStart(from, zone, 1);
  const complete = to <= now;
  const range = { from: iso(from), to: iso(to) };
  // The store sums by quarters of an hour.
  const sameTime = Math.floor(monthBefore(now, zone) / quarterMs) * quarterMs;
  const isRunning = from <= now && !complete;
  const before = { from: iso(monthStart(from, zone, -1)), to: iso(isRunning ? sameTime : from) };
  const sum = async (times: typeof range): Promise<LedgerSums> =>
    (await store.queryLedger({ ...times, groupBy: [] }))[0]?.usage ?? noSums;
  const by = async (...groupBy: LedgerGroup[]): Promise<ReportRow[]> => {
    const read = async (times: typeof range) =>
      (await store.queryLedger({ ...times, groupBy })).map(({ keys, usage }) => ({
        name: groupBy
          .map((group) => keys[group] ?? "")
          .filter((name) => name !== "")
          .join("/"),
        usage,
      }));
    const past = new Map((await read(before)).map(({ name, usage }) => [name, usage.cost_usd]));
    return ranked(await read(range), past);
  };
  const days = await store.queryLedger({ ...range, groupBy: ["day"], timeZone: zone });
  const people = (await by("person")).map((row) => ({
    ...row,
    name: row.name === null ? null : (personName(row.name) ?? row.name),
  }));
  return {
    ...{ month, time_zone: zone, ...range, complete, made_at: iso(now) },
    total: columns(await sum(range)),
    before: { ...before, ...columns(await sum(before)) },
    projects: await by("cwd"),
    models: await by("provider", "model"),
    people: people.some(({ name }) => name !== "") ? people : [],
    days: daysOf(month, zone, Math.min(to, now + 1)).map((day) => ({
      day,
      ...columns(days.find(({ keys }) => keys.day === day)?.usage ?? noSums),
    })),
    budgets: budgets.slice(0, mostBudgets),
  };
}

function ranked(
  rows: readonly { name: string; usage: LedgerSums }[],
  past: ReadonlyMap<string, number>,
): ReportRow[] {
  const sorted = rows.toSorted(
    (a, b) => b.usage.cost_usd - a.usage.cost_usd || b.usage.calls - a.usage.calls,
  );
  const shown = sorted.slice(0, sorted.length > mostRows ? mostRows - 1 : mostRows);
  const others = sorted.slice(shown.length);
  const named = new Set(shown.map(({ name }) => name));
  const result = shown.map(({ name, usage }) => ({
    name,
    ...columns(usage),
    before_usd: past.get(name) ?? 0,
  }));
  if (others.length === 0) return result;
  const rest = [...past].filter(([name]) => !named.has(name)).reduce((all, [, cost]) => all + cost, 0);
  const usage = others.reduce((all, row) => addSums(all, row.usage), noSums);
  return [...result, { name: null, ...columns(usage), before_usd: rest }];
}

/** The days of the month that begin before `until`. */
function daysOf(month: string, zone: string, until: number): string[] {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, "0")}`).filter(
    (day) => dateStart(day, zone) < until,
  );
}

/** The month that contains `time`, plus `months`: `2026-10`. */
export function monthOf(time: number, zone: string, months = 0): string {
  // The middle of the month is in the same month everywhere.
  return iso(monthStart(time, zone, months) + 14 * 86_400_000).slice(0, 7);
}

const iso = (time: number): string => new Date(time).toISOString();

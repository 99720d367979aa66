// The ledger's calls, as docs/api.md has them.
import * as z from "zod/mini";
import type { TimeSpan } from "./span.ts";
import { viewerZone } from "./span.ts";
import { dimensions, type Where } from "./view.ts";

const Name = z.optional(z.string());
const UsageSums = z.object({
  calls: z.number(),
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
  thinking: z.number(),
  cost_usd: z.number(),
  unpriced: z.number(),
  estimated: z.number(),
  low_usd: z.number(),
  high_usd: z.number(),
});
export type UsageSums = z.infer<typeof UsageSums>;

const UsageRow = z.extend(UsageSums, {
  day: Name,
  hour: Name,
  model: Name,
  provider: Name,
  cwd: Name,
  person: Name,
  worker: Name,
  branch: Name,
  session: Name,
});
export type UsageRow = z.infer<typeof UsageRow>;
export const UsageTable = z.object({ rows: z.array(UsageRow), total: UsageSums });
export type UsageTable = z.infer<typeof UsageTable>;

const Period = z.extend(UsageSums, { from: z.string(), to: z.string(), previous: UsageSums });
export const Summary = z.object({
  today: Period,
  month: Period,
  forecast: z.object({
    to: z.string(),
    cost_usd: z.number(),
    daily_usd: z.number(),
    daily_unpriced: z.number(),
    unpriced: z.number(),
    previous: UsageSums,
  }),
});
export type Summary = z.infer<typeof Summary>;

const RunningSession = z.object({
  id: z.string(),
  name: z.string(),
  cwd: z.string(),
  worker: z.string(),
  model: z.string(),
  state: z.string(),
  cost_usd: z.number(),
  unpriced_so_far: z.number(),
  cost_usd_per_hour: z.number(),
  unpriced: z.number(),
});
export const Now = z.object({
  window_ms: z.number(),
  cost_usd_per_hour: z.number(),
  average_usd_per_hour: z.number(),
  unpriced: z.number(),
  sessions: z.array(RunningSession),
});
export type Now = z.infer<typeof Now>;

/** An agent that waits for a person does not run. */
export const isRunning = ({ state }: Now["sessions"][number]): boolean =>
  state === "busy" || state === "starting";

/** Those that run, then those that wait for a person; apart from them those that only spent something a moment ago. */
export function sortRunning(sessions: Now["sessions"]): { open: Now["sessions"]; recent: Now["sessions"] } {
  const waiting = sessions.filter(({ state }) => state === "waiting");
  const open = [...sessions.filter(isRunning), ...waiting];
  return { open, recent: sessions.filter((session) => !open.includes(session)) };
}

const Ranked = z.extend(UsageSums, {
  session: z.string(),
  name: z.nullable(z.string()),
  started: z.string(),
  ended: z.string(),
  cwd: z.string(),
  model: z.string(),
});
export const RankedSessions = z.object({ sessions: z.array(z.extend(Ranked, { turns: z.number() })) });
export const RankedTurns = z.object({ turns: z.array(z.extend(Ranked, { turn: z.number() })) });
export type RankedTurn = z.infer<typeof RankedTurns>["turns"][number];

export const Cache = z.object({
  input: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
  hit_ratio: z.nullable(z.number()),
  saved_usd: z.number(),
  unknown_cache_read: z.number(),
});
export type Cache = z.infer<typeof Cache>;

export const Distribution = z.object({
  turns: z.number(),
  unpriced_turns: z.number(),
  median_usd: z.nullable(z.number()),
  p95_usd: z.nullable(z.number()),
  buckets: z.array(
    z.object({
      from_usd: z.number(),
      to_usd: z.nullable(z.number()),
      turns: z.number(),
      cost_usd: z.number(),
    }),
  ),
});
export type Distribution = z.infer<typeof Distribution>;

type Times = Pick<TimeSpan, "from" | "to">;

/** An address with a range, filters and whatever else is asked. */
export function ask(
  path: string,
  times: Times | null,
  where: Where,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams(more);
  if (times !== null) {
    query.set("from", times.from.toISOString());
    query.set("to", times.to.toISOString());
  }
  for (const name of dimensions) {
    const value = where[name];
    if (value !== undefined) query.set(name, value);
  }
  return `${path}?${query}`;
}

export const askUsage = (times: Times, where: Where, ...groups: readonly string[]): string =>
  ask("/api/usage", times, where, { group_by: groups.join(","), tz: viewerZone() });

export const askSummary = (where: Where): string =>
  ask("/api/usage/summary", null, where, { tz: viewerZone() });

// What ACP agents tell about the windows of a subscription plan, beside ACP itself. claude-agent-acp puts the `rate_limit_info` of its
// SDK into `_meta` of `usage_update`. codex-acp (2.6.0) receives such figures and keeps them for its `/status`; the forms in which its
// pull requests 334 and 524 send them are read, since some builds have them. All of it is optional: what is missing is not told.
import type { PlanLimitsTold, PlanWindow } from "@patchbay/protocol";
import * as z from "zod/mini";

export type ToldLimits = Omit<PlanLimitsTold, "time">;

const number = z.catch(z.optional(z.nullable(z.number())), undefined);
const text = z.catch(z.optional(z.nullable(z.string())), undefined);

/** Claude Code sends only the window that matters, and since 2.1 `unifiedWindows` with all of them. */
const ClaudeWindow = z.looseObject({ utilization: number, resetsAt: number });
const ClaudeLimits = z.looseObject({
  status: text,
  rateLimitType: text,
  utilization: number,
  resetsAt: number,
  unifiedWindows: z.catch(
    z.optional(z.nullable(z.record(z.string(), z.catch(z.nullable(ClaudeWindow), null)))),
    undefined,
  ),
});

/** Their lengths in minutes; `overage` is money, not a window. */
const claudeWindows: Readonly<Record<string, { minutes?: number; name?: string }>> = {
  five_hour: { minutes: 300 },
  seven_day: { minutes: 10_080 },
  seven_day_opus: { minutes: 10_080, name: "Opus" },
  seven_day_sonnet: { minutes: 10_080, name: "Sonnet" },
  seven_day_overage_included: { minutes: 10_080 },
};

/** A window of Codex, with the names of its app server or of its session files. */
const CodexWindow = z.looseObject({
  usedPercent: number,
  used_percent: number,
  windowDurationMins: number,
  window_minutes: number,
  resetsAt: number,
  resets_at: number,
  /** Session files until autumn 2025. */
  resets_in_seconds: number,
});
const CodexLimits = z.looseObject({
  limitId: text,
  limit_id: text,
  limitName: text,
  limit_name: text,
  planType: text,
  plan_type: text,
  rateLimitReachedType: text,
  rate_limit_reached_type: text,
  primary: z.catch(z.optional(z.nullable(CodexWindow)), undefined),
  secondary: z.catch(z.optional(z.nullable(CodexWindow)), undefined),
});

const UpdateMeta = z.looseObject({
  _meta: z.looseObject({
    "_claude/rateLimit": z.optional(z.unknown()),
    "_codex/rateLimits": z.catch(z.optional(z.array(z.unknown())), undefined),
  }),
});
const AccountLimits = z.looseObject({ rateLimits: z.unknown() });

/** An account has a few; each has two windows. */
const maxLimits = 10;

/** Of a `usage_update`; null: it tells nothing about a plan. */
export function planLimitsOf(update: unknown): ToldLimits | null {
  const meta = UpdateMeta.safeParse(update).data?._meta;
  if (meta === undefined) return null;
  if (meta["_claude/rateLimit"] !== undefined) return claudeLimits(meta["_claude/rateLimit"]);
  const codex = (meta["_codex/rateLimits"] ?? []).slice(0, maxLimits).flatMap((limits) => {
    const told = codexLimits(limits, undefined);
    return told === null ? [] : [told];
  });
  if (codex.length === 0) return null;
  const plan = codex.find((told) => told.plan !== undefined)?.plan;
  return { ...(plan === undefined ? {} : { plan }), windows: codex.flatMap(({ windows }) => windows) };
}

/** Of an `_account/rate_limits_update`. */
export const accountLimits = (params: unknown): ToldLimits | null => {
  const read = AccountLimits.safeParse(params).data;
  return read === undefined ? null : codexLimits(read.rateLimits, undefined);
};

function claudeLimits(given: unknown): ToldLimits | null {
  const read = ClaudeLimits.safeParse(given).data;
  if (read === undefined) return null;
  const { status, rateLimitType, utilization, resetsAt, unifiedWindows } = read;
  const found = new Map<string, PlanWindow>();
  const add = (id: string, window: z.infer<typeof ClaudeWindow>): void => {
    const known = claudeWindows[id];
    if (known === undefined) return;
    found.set(id, {
      ...found.get(id),
      ...{ id, ...known },
      ...percentOf(window.utilization, 100),
      ...timeOf(window.resetsAt),
    });
  };
  for (const [id, window] of Object.entries(unifiedWindows ?? {})) if (window !== null) add(id, window);
  if (typeof rateLimitType === "string") {
    add(rateLimitType, { utilization, resetsAt });
    const window = found.get(rateLimitType);
    const told = status === "rejected" ? "reached" : status === "allowed_warning" ? "near" : undefined;
    if (window !== undefined && told !== undefined) found.set(rateLimitType, { ...window, status: told });
  }
  const windows = [...found.values()].filter(saysSomething);
  return windows.length === 0 ? null : { windows };
}

/** `time`: when it was written, for files that say in how many seconds a window resets. */
export function codexLimits(given: unknown, time: string | undefined): ToldLimits | null {
  const limits = CodexLimits.safeParse(given).data;
  if (limits === undefined) return null;
  const id = limits.limitId ?? limits.limit_id ?? "codex";
  const title = limits.limitName ?? limits.limit_name ?? undefined;
  // The account's own limit needs no name; others are those of a model.
  const name = id === "codex" || title === undefined ? {} : { name: title };
  const windows = (["primary", "secondary"] as const).flatMap((which): PlanWindow[] => {
    const window = limits[which];
    if (window === undefined || window === null) return [];
    const minutes = window.windowDurationMins ?? window.window_minutes;
    const left = window.resets_in_seconds;
    const resets =
      window.resetsAt ??
      window.resets_at ??
      (typeof left === "number" && time !== undefined ? Date.parse(time) / 1_000 + left : undefined);
    const used = percentOf(window.usedPercent ?? window.used_percent, 1);
    return [
      {
        ...{ id: `${id}/${which}`, ...name, ...used, ...timeOf(resets) },
        ...(typeof minutes === "number" && minutes > 0 ? { minutes } : {}),
        ...((used.used_percent ?? 0) >= 100 ? { status: "reached" as const } : {}),
      },
    ];
  });
  const told = windows.filter(saysSomething);
  const plan = limits.planType ?? limits.plan_type ?? undefined;
  return told.length === 0 ? null : { ...(plan === undefined ? {} : { plan }), windows: told };
}

const saysSomething = ({ used_percent, status }: PlanWindow): boolean =>
  used_percent !== undefined || status !== undefined;

/** In tenths, as the providers' own displays have them at most. */
function percentOf(used: number | null | undefined, factor: number): { used_percent?: number } {
  if (typeof used !== "number" || used < 0 || used * factor > 100_000) return {};
  return { used_percent: Math.round(used * factor * 10) / 10 };
}

/** Seconds since 1970, or milliseconds; anything else is no time that a window could reset at. */
function timeOf(resets: number | null | undefined): { resets_at?: string } {
  if (typeof resets !== "number") return {};
  const ms = resets > 1e11 ? resets : resets * 1_000;
  return ms > 1.5e12 && ms < 1e13 ? { resets_at: new Date(ms).toISOString() } : {};
}

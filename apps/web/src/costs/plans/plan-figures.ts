// How the windows of a plan read: their length, how much is used, and when they begin anew.
import { AgentPlan } from "@patchbay/protocol";
import * as z from "zod/mini";
import { fixed } from "../../format/number.ts";
import { planTexts } from "./texts.ts";

export const PlansBody = z.object({ plans: z.array(AgentPlan) });

export type ShownWindow = AgentPlan["windows"][number];

const weekMinutes = 7 * 24 * 60;
/** From here on a window deserves to be noticed, where its provider does not warn itself. */
const nearPercent = 80;

export function windowLabel({ id, name, minutes }: ShownWindow): string {
  const length =
    minutes === undefined
      ? id
      : minutes === weekMinutes
        ? planTexts.weekly
        : planTexts.window(durationLabel(minutes));
  return name === undefined ? length : planTexts.ofName(length, name);
}

export function usedLabel(window: ShownWindow): string {
  if (levelOf(window) === "reached") return planTexts.reached;
  const { used_percent } = window;
  if (used_percent === undefined) return planTexts.notTold;
  return planTexts.used(fixed(used_percent, Number.isInteger(used_percent) ? 0 : 1));
}

type Level = "ok" | "near" | "reached";

/** Amber and red as at the thresholds of a budget. */
export const levelFill: Readonly<Record<Level, string>> = {
  ok: "bg-[var(--chart-plain)]",
  near: "bg-accent",
  reached: "bg-failed",
};

export function levelOf({ status, used_percent = 0 }: ShownWindow): Level {
  if (status === "reached" || used_percent >= 100) return "reached";
  return status === "near" || used_percent >= nearPercent ? "near" : "ok";
}

/** Empty: the agent does not tell when. */
export function resetsLabel({ resets_at }: ShownWindow, now: number): string {
  if (resets_at === undefined) return "";
  return planTexts.resetsIn(durationLabel(Math.max(1, Math.ceil((Date.parse(resets_at) - now) / 60_000))));
}

function durationLabel(minutes: number): string {
  if (minutes >= 24 * 60)
    return planTexts.days(Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60));
  if (minutes >= 60) return planTexts.hours(Math.floor(minutes / 60), Math.floor(minutes % 60));
  return planTexts.minutes(Math.floor(minutes));
}

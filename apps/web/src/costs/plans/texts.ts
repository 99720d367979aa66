// What is left of subscription plans, as agents tell it.
import { defineTexts } from "../../language/catalogue.ts";

export const planTexts = defineTexts("costs/plans", {
  plans: "Plan limits",
  weekly: "Weekly",
  window: (length: string) => `${length} window`,
  ofName: (window: string, name: string) => `${window}, ${name}`,
  used: (percent: string) => `${percent} % used`,
  notTold: "Not told",
  reached: "Used up",
  resetsIn: (left: string) => `resets in ${left}`,
  hasReset: "Has reset since. Known again after the next turn.",
  bindsFirst: "Binds first",
  usedUpAt: (time: string) => `Used up at ${time} at this pace`,
  toldAgo: (ago: string) => `Updated: ${ago}`,
  short: (window: string, used: string) => `${window}: ${used}`,
  days: (days: number, hours: number) => (hours === 0 ? `${days} d` : `${days} d ${hours} h`),
  hours: (hours: number, minutes: number) => (minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`),
  minutes: (minutes: number) => `${minutes} min`,
});

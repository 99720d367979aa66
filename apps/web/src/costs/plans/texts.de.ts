import type { Translation } from "../../language/catalogue.ts";
import type { planTexts } from "./texts.ts";

export const planGerman: Translation<typeof planTexts> = {
  plans: "Grenzen der Tarife",
  weekly: "Woche",
  window: (length) => `Fenster von ${length}`,
  ofName: (window, name) => `${window}, ${name}`,
  used: (percent) => `${percent} % verbraucht`,
  notTold: "Nicht mitgeteilt",
  reached: "Aufgebraucht",
  resetsIn: (left) => `neu in ${left}`,
  hasReset: "Hat inzwischen neu begonnen. Nach dem nächsten Durchgang wieder bekannt.",
  bindsFirst: "Greift zuerst",
  usedUpAt: (time) => `Bei diesem Tempo um ${time} aufgebraucht`,
  toldAgo: (ago) => `Stand: ${ago}`,
  short: (window, used) => `${window}: ${used}`,
  days: (days, hours) => (hours === 0 ? `${days} T.` : `${days} T. ${hours} Std.`),
  hours: (hours, minutes) => (minutes === 0 ? `${hours} Std.` : `${hours} Std. ${minutes} Min.`),
  minutes: (minutes) => `${minutes} Min.`,
};

import { defineTexts } from "../language/catalogue.ts";

export const formatTexts = defineTexts("format", {
  now: "now",
  minutes: (count: number) => `${count} min`,
  hours: (count: number) => `${count} h`,
  days: (count: number) => `${count} d`,
  minutesAndSeconds: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  hoursAndMinutes: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  months: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
  date: (day: number, month: string, year: number) => `${day} ${month} ${year}`,
  unpriced: "unpriced",
  estimate: (low: string, high: string) => `estimate, between ${low} and ${high}`,
  free: "free",
  builtInAgent: "Built-in agent",
  compatibleServer: "OpenAI-compatible server",
  demoProvider: "Offline demo",
  tokensIn: (count: string) => `${count} in`,
  tokensInCached: (count: string, percent: number) => `${count} in (${percent} % cached)`,
  tokensOut: (count: string) => `${count} out`,
});

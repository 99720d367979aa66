import type { Translation } from "../language/catalogue.ts";
import type { formatTexts } from "./texts.ts";

export const formatGerman: Translation<typeof formatTexts> = {
  now: "jetzt",
  minutes: (count) => `${count} Min.`,
  hours: (count) => `${count} Std.`,
  days: (count) => `${count} T.`,
  minutesAndSeconds: (minutes, seconds) => `${minutes} Min. ${seconds} s`,
  hoursAndMinutes: (hours, minutes) => `${hours} Std. ${minutes} Min.`,
  months: "Jan. Febr. März April Mai Juni Juli Aug. Sept. Okt. Nov. Dez.",
  date: (day, month, year) => `${day}. ${month} ${year}`,
  unpriced: "ohne Preis",
  estimate: (low, high) => `geschätzt, zwischen ${low} und ${high}`,
  free: "kostenlos",
  builtInAgent: "Integrierter Agent",
  compatibleServer: "OpenAI-kompatibler Server",
  demoProvider: "Offline-Demo",
  tokensIn: (count) => `${count} ein`,
  tokensInCached: (count, percent) => `${count} ein (${percent} % aus dem Cache)`,
  tokensOut: (count) => `${count} aus`,
};

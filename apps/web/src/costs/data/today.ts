// What today has cost, for the sidebar: as little of the costs page as the first load needs.
import * as z from "zod/mini";

export const Today = z.object({
  today: z.object({ cost_usd: z.number(), unpriced: z.number(), estimated: z.number() }),
});

export const askToday = (): string =>
  `/api/usage/summary?tz=${encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)}`;

// Computes the cost of a call from rates. Rates are dollars per million tokens, which is micro-dollars per token: one
// multiplication per kind of token, and one rounding per call, to the nano-dollar. Rates may depend on how much was sent (tiers), on
// the date and the time of the day (changes), and on the fast mode; searches and images are billed beside tokens.
import * as z from "zod/mini";

const Rate = z.number().check(z.nonnegative(), z.maximum(1_000_000));

const Flat = z.object({
  input: Rate,
  output: Rate,
  /** Tokens read from or written to a cache. Absent: the price of input. */
  cache_read: z.optional(Rate),
  cache_write: z.optional(Rate),
  /** Tokens that the cache keeps for an hour instead of five minutes. Absent: the price of `cache_write`. */
  cache_write_1h: z.optional(Rate),
});

/** If the whole input exceeds thresholds, the rates of the highest such tier apply to the whole call. */
const Tier = z.extend(Flat, { above: z.number().check(z.nonnegative()) });

const Tiered = z.extend(Flat, { tiers: z.optional(z.array(Tier)) });

/** A time of the day in UTC. */
const Clock = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));
const Day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/));

/** Other rates from a day on, until a day, or at some hours: of peak times, say. Days and hours are of UTC; `until` is exclusive. */
const Change = z.extend(Tiered, {
  from: z.optional(Day),
  until: z.optional(Day),
  hours: z.optional(z.array(Clock).check(z.length(2))),
});

/** Of the changes, the last that holds at the time of the call applies. */
export const Rates = z.extend(Tiered, {
  changes: z.optional(z.array(Change)),
  /** Of calls in the provider's fast mode, whatever their length. */
  fast: z.optional(Flat),
  /** Dollars for one search or image that the provider bills beside tokens. */
  search: z.optional(Rate),
  image: z.optional(Rate),
});
export type Rates = z.infer<typeof Rates>;

/** What a provider bills beside tokens, where it is told. */
export interface Surcharges {
  /** The call was made in the provider's fast mode. */
  fast?: boolean | undefined;
  /** Searches that the provider made for the model. */
  searches?: number | undefined;
  /** Images that the model made. */
  images?: number | undefined;
}

export const hasSurcharges = ({ fast = false, searches = 0, images = 0 }: Surcharges): boolean =>
  fast || searches > 0 || images > 0;

/** Whether these rates tell all that the call is billed for. */
export const coverSurcharges = (
  rates: Rates,
  { fast = false, searches = 0, images = 0 }: Surcharges,
): boolean =>
  (!fast || rates.fast !== undefined) &&
  (searches === 0 || rates.search !== undefined) &&
  (images === 0 || rates.image !== undefined);

export interface Tokens extends Surcharges {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  /** Of `cache_write`, what the cache keeps for an hour. */
  cache_write_1h?: number | undefined;
}

/** `time`: of the call, in milliseconds. */
export function costNanos(rates: Rates, tokens: Tokens, time: number): number {
  const { input, output, cache_read, cache_write, cache_write_1h = 0, searches = 0, images = 0 } = tokens;
  const sent = input + cache_read + cache_write;
  const current = ratesAt(rates, time);
  const tiers = (current.tiers ?? []).filter(({ above }) => sent > above).sort((a, b) => b.above - a.above);
  const rate = (tokens.fast === true ? rates.fast : undefined) ?? tiers[0] ?? current;
  const writeRate = rate.cache_write ?? rate.input;
  const long = Math.min(cache_write_1h, cache_write);
  const micros =
    input * rate.input +
    output * rate.output +
    cache_read * (rate.cache_read ?? rate.input) +
    (cache_write - long) * writeRate +
    long * (rate.cache_write_1h ?? writeRate);
  const beside = searches * (rates.search ?? 0) + images * (rates.image ?? 0);
  return Math.round(micros * 1_000 + beside * 1e9);
}

export const ratesAt = (rates: Rates, time: number): z.infer<typeof Tiered> =>
  rates.changes?.findLast((change) => holdsAt(change, time)) ?? rates;

function holdsAt({ from, until, hours }: z.infer<typeof Change>, time: number): boolean {
  if (from !== undefined && time < Date.parse(from)) return false;
  if (until !== undefined && time >= Date.parse(until)) return false;
  if (hours === undefined) return true;
  const clock = new Date(time).toISOString().slice(11, 16);
  const [start = "", end = ""] = hours;
  return start <= end ? clock >= start && clock < end : clock >= start || clock < end;
}

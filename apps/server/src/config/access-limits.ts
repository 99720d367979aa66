// The bounds of logins: how long one lasts, and how often one may guess. Part of `limits` in the config file.
import * as z from "zod/mini";

const Millis = z.number().check(z.int(), z.positive());
const Count = z.number().check(z.int(), z.positive());
const dayMs = 86_400_000;

export const AccessLimits = z.strictObject({
  /** A login that is not used for this long ends: a device that was lost or sold. */
  login_idle_ms: z._default(Millis, 30 * dayMs),
  /** However often it is used, a login ends after this: a stolen one does not last. */
  login_max_ms: z._default(Millis, 90 * dayMs),
  /** A login's cookie gets another value this often: a copy of the old one is worth nothing then. */
  login_rotate_ms: z._default(Millis, dayMs),
  /** Wrong tokens and codes from one address in a minute. A person mistypes a few; a program that guesses needs many. */
  failed_logins_per_minute: z._default(Count, 10),
});
export type AccessLimits = z.infer<typeof AccessLimits>;

// The limits of logins. Part of `limits` in the config file.
import * as z from "zod/mini";

const Millis = z.number().check(z.int(), z.positive());
const Count = z.number().check(z.int(), z.positive());
const dayMs = 86_400_000;

export const AccessLimits = z.strictObject({
  /** A login that is unused for this long ends: the device may be lost or sold. */
  login_idle_ms: z._default(Millis, 30 * dayMs),
  /** A login in use ends after this, so that a stolen one does not last. */
  login_max_ms: z._default(Millis, 90 * dayMs),
  /** The cookie of a login gets a new value this often. A copy of the old one is then invalid. */
  login_rotate_ms: z._default(Millis, dayMs),
  /** Wrong tokens and codes from one address in a minute. A person mistypes a few; a program that guesses needs many. */
  failed_logins_per_minute: z._default(Count, 10),
});
export type AccessLimits = z.infer<typeof AccessLimits>;

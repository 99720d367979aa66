// The bounds of who may come in: how long a login lasts, how often one may guess, and what a peer that has not
// logged in may hold. Part of `limits` in the config file.
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
  /** Connections at once. Each takes a file descriptor and about 20 KB; half of the descriptors stay for logs and workers. */
  connections: z._default(Count, 10_000),
  /** Connections of one address that has not logged in on them. A browser has six, a burst of programs some hundreds. */
  connections_per_address: z._default(Count, 1_000),
  /** A request's headers have arrived by then: they fit in a few packets on any line. */
  header_ms: z._default(Millis, 10_000),
  /** A whole request has: bodies have at most 1 MiB, which a slow phone sends in half a minute. */
  body_ms: z._default(Millis, 60_000),
  /** A connection without a request stays for this long: longer than the 60 s of usual proxies, which must close first. */
  keep_alive_ms: z._default(Millis, 72_000),
});
export type AccessLimits = z.infer<typeof AccessLimits>;

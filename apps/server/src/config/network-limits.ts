// What a peer may hold, and for how long. Part of `limits` in the config file.
import * as z from "zod/mini";

const Millis = z.number().check(z.int(), z.positive());
const Count = z.number().check(z.int(), z.positive());

export const NetworkLimits = z.strictObject({
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
export type NetworkLimits = z.infer<typeof NetworkLimits>;

// The limits of connections. Part of `limits` in the config file.
import * as z from "zod/mini";

const Millis = z.number().check(z.int(), z.positive());
const Count = z.number().check(z.int(), z.positive());

export const NetworkLimits = z.strictObject({
  /** Connections at once. Each takes a file descriptor and about 20 KB; half of the descriptors stay for logs and workers. */
  connections: z._default(Count, 10_000),
  /** Unauthenticated connections of one address. A browser has six, a burst of programs some hundreds. */
  connections_per_address: z._default(Count, 1_000),
  /** The time for the headers of a request, which fit in a few packets. */
  header_ms: z._default(Millis, 10_000),
  /** The time for a whole request. A body has at most 1 MiB, which a slow phone sends in half a minute. */
  body_ms: z._default(Millis, 60_000),
  /** How long an idle connection stays open: longer than the 60 s of usual proxies, which must close first. */
  keep_alive_ms: z._default(Millis, 72_000),
});
export type NetworkLimits = z.infer<typeof NetworkLimits>;

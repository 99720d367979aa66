import { costs } from "./costs.ts";
import type { Feature } from "./feature.ts";
import { files } from "./files.ts";
import { imports } from "./imports.ts";
import { integrations } from "./integrations.ts";
import { localSocket } from "./local-socket.ts";
import { metrics } from "./metrics.ts";
import { search } from "./search.ts";

/** In the order in which they are started: prices are read before anything is priced. */
export const allFeatures: readonly Feature[] = [
  costs,
  files,
  search,
  imports,
  metrics,
  integrations,
  localSocket,
];

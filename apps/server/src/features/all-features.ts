import { auditFeature } from "./audit.ts";
import { costsFeature } from "./costs.ts";
import { directoriesFeature } from "./directories.ts";
import type { Feature } from "./feature.ts";
import { filesFeature } from "./files.ts";
import { importsFeature } from "./imports.ts";
import { integrationsFeature } from "./integrations.ts";
import { keysFeature } from "./keys.ts";
import { localSocketFeature } from "./local-socket.ts";
import { metricsFeature } from "./metrics.ts";
import { peopleFeature } from "./people.ts";
import { searchFeature } from "./search.ts";
import { sharesFeature } from "./shares.ts";

/** In the order in which they are started: prices are read before anything is priced. */
export const allFeatures: readonly Feature[] = [
  auditFeature,
  costsFeature,
  directoriesFeature,
  filesFeature,
  keysFeature,
  searchFeature,
  sharesFeature,
  importsFeature,
  metricsFeature,
  integrationsFeature,
  peopleFeature,
  localSocketFeature,
];

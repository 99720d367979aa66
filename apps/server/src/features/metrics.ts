import { metricsRoute } from "../http/metrics.ts";
import { feature } from "./feature.ts";

/** What runs and what was spent, for Prometheus. */
export const metricsFeature = feature({
  name: "metrics",
  needs: ["hub", "store", "http"],
  adds: ["GET /metrics"],
  start({ hub, store, http }) {
    metricsRoute(http, hub, store);
    return {};
  },
});

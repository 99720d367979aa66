import { metricsRoute } from "../http/metrics.ts";
import { feature } from "./feature.ts";

/** Running sessions and spending, for Prometheus. */
export const metricsFeature = feature({
  name: "metrics",
  needs: ["hub", "store", "http"],
  adds: ["GET /metrics"],
  start({ hub, store, http }) {
    metricsRoute(http, hub, store);
    return {};
  },
});

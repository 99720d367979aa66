import { searchRoutes } from "../http/search.ts";
import { startCatchUp } from "../session/hub/search-catch-up.ts";
import { feature } from "./feature.ts";

/** The search over all transcripts. Sessions write its index without it. */
export const searchFeature = feature({
  name: "search",
  needs: ["hub", "store", "http", "log", "rights"],
  adds: ["GET /api/search"],
  start({ hub, store, http, log, rights }) {
    searchRoutes(http, hub, store, rights);
    let catchUp: { stop(): Promise<void> } | undefined;
    return {
      loaded: () => {
        catchUp = startCatchUp(hub, store, log);
      },
      stop: async () => catchUp?.stop(),
    };
  },
});

import { keyRoutes } from "../http/keys.ts";
import { feature } from "./feature.ts";

/** Keys of model providers that a person enters in the page. Without it, keys come from the environment. */
export const keysFeature = feature({
  name: "keys",
  needs: ["hub", "machine", "http"],
  adds: [
    "GET /api/keys",
    "PATCH /api/keys/:provider",
    "DELETE /api/keys/:provider",
    "POST /api/keys/:provider/test",
  ],
  start({ hub, machine, http }) {
    keyRoutes(http, machine.keys, () => hub.renewWorkers("builtin"));
    return {};
  },
});

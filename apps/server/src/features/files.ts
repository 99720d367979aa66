import { fileRoutes } from "../http/files.ts";
import { feature } from "./feature.ts";

/** The directory of a session, and what the session changed in it. */
export const filesFeature = feature({
  name: "files",
  needs: ["hub", "machine", "http"],
  adds: [
    "GET /api/sessions/:id/changes",
    "GET /api/sessions/:id/changes/diff",
    "GET /api/sessions/:id/files",
    "GET /api/sessions/:id/files/text",
    "GET /api/sessions/:id/paths",
  ],
  start({ hub, machine, http }) {
    fileRoutes(http, hub, machine);
    return {};
  },
});

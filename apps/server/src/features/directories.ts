import { directoryRoutes } from "../http/directories.ts";
import { feature } from "./feature.ts";

/** The directories that a new session may work in, by the beginning of their path. */
export const directoriesFeature = feature({
  name: "directories",
  needs: ["machine", "http"],
  adds: ["GET /api/directories"],
  start({ machine, http }) {
    directoryRoutes(http, machine.directories);
    return {};
  },
});

// What can be started here, and the models to choose from.
import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import type { BuiltinModels } from "../machine/profiles/builtin-models.ts";
import type { Profiles } from "../machine/profiles/profiles.ts";

type Defaults = Pick<Config, "defaultWorker" | "cwd" | "directories" | "configPath">;

export function workerRoutes(
  app: FastifyInstance,
  profiles: Profiles,
  models: BuiltinModels,
  defaults: Defaults,
): void {
  app.get("/api/workers", async () => {
    const builtin = await models.list();
    return {
      workers: profiles
        .list()
        .map((worker) => (worker.name === "builtin" ? { ...worker, ...builtin } : worker)),
      default_worker: defaults.defaultWorker,
      default_cwd: defaults.cwd,
      directories: defaults.directories,
      config_path: defaults.configPath,
    };
  });
}

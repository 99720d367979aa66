// The route for the workers of this machine and their models.
import type { FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import type { MachineWorkers } from "../machine/machine.ts";

type Defaults = Pick<Config, "defaultWorker" | "cwd" | "directories" | "configPath">;

export function workerRoutes(app: FastifyInstance, workers: MachineWorkers, defaults: Defaults): void {
  app.get("/api/workers", async () => {
    const builtin = await workers.models();
    return {
      workers: workers
        .list()
        .map((worker) => (worker.name === "builtin" ? { ...worker, ...builtin } : worker)),
      default_worker: defaults.defaultWorker,
      default_cwd: defaults.cwd,
      directories: defaults.directories,
      config_path: defaults.configPath,
    };
  });
}

// The route for the workers of this machine and their models.
import type { FastifyInstance } from "fastify";
import { may } from "../access/policy.ts";
import type { Config } from "../config/config.ts";
import type { Prices } from "../costs/prices/prices.ts";
import type { MachineWorkers } from "../machine/machine.ts";

type Defaults = Pick<Config, "defaultWorker" | "cwd" | "directories" | "configPath">;

export function workerRoutes(
  app: FastifyInstance,
  workers: MachineWorkers,
  prices: Prices,
  defaults: Defaults,
): void {
  app.get("/api/workers", may("agents.list"), async () => {
    const { models, ...others } = await workers.models();
    const builtin = { ...others, models: models.map((model) => priced(model, prices)) };
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

/** Dollars per million tokens, where the price is known. */
function priced<T extends { provider: string; id: string }>(model: T, prices: Prices): T {
  const found = prices.ratesOf(model.provider, model.id);
  if (found === null) return model;
  const { input, output } = found.rates;
  return { ...model, price: { input, output } };
}

// Finds what answers for a model, loading it on first use: a provider's library is large, and many
// workers are started long before they are asked anything.
import type { Config } from "../config/config.ts";
import type { CallModel } from "./adapter.ts";
import type { Model } from "./catalog.ts";

export async function connectModel(model: Model, config: Config): Promise<CallModel> {
  if (model.provider === "demo") {
    const { demo } = await import("./demo/demo.ts");
    return demo(config.demoDelayMs);
  }
  const { callPi } = await import("./pi.ts");
  return callPi;
}

// Finds the adapter of a model and loads it on first use: a provider's library is large, and many
// workers are started long before their first prompt.
import type { Model } from "../catalog.ts";
import type { CallModel } from "./adapter.ts";

export async function connectModel(model: Model, demoDelayMs: number): Promise<CallModel> {
  if (model.provider === "demo") {
    const { demo } = await import("./demo.ts");
    return demo(demoDelayMs);
  }
  const { callPi } = await import("./pi.ts");
  return callPi;
}

// What models cost (docs/api.md, `/api/prices/rates`).
import * as z from "zod/mini";
import { call } from "./http/call.ts";

const Rates = z.object({ rates: z.array(z.nullable(z.object({ input: z.number(), output: z.number() }))) });

/** The same models, with their price where it is known. Without prices when the server does not answer. */
export async function fetchRates<T extends { provider: string; id: string }>(
  models: readonly T[],
): Promise<(T & { price?: { input: number; output: number } })[]> {
  const body = { models: models.slice(0, 2_000).map(({ provider, id }) => ({ provider, model: id })) };
  const answer = await call("/api/prices/rates", Rates, { method: "POST", body }).catch(() => null);
  return models.map((model, index) => {
    const price = answer?.rates[index];
    return price === undefined || price === null ? model : { ...model, price };
  });
}

// The identity of a model call of pi or omp: what their frames and their session files both say of it. A fork copies a
// message into another file, so neither the file nor the entry's own id is part of it.
import { createHash } from "node:crypto";
import type { PiMessage } from "./schemas.ts";

type Told = Pick<PiMessage, "timestamp" | "usage" | "provider" | "model" | "responseId">;

export function piCallKey({ timestamp, usage, provider, model, responseId }: Told): string {
  const { input, output, cacheRead, cacheWrite } = usage ?? {};
  const told = [responseId ?? null, timestamp, provider, model, input, output, cacheRead, cacheWrite];
  return createHash("sha256")
    .update(JSON.stringify(["pi", ...told]))
    .digest("hex")
    .slice(0, 32);
}

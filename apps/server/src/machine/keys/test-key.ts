// Asks a provider for its list of models, to see whether a key is accepted. What it answers is not shown: only whether it did,
// with which status, and how many models it listed. Bounded in time and size, and no redirect is followed: it could lead the
// key to another place.
import type { KeyTest } from "@patchbay/protocol";
import * as z from "zod/mini";
import { type ModelProvider, parseUrl } from "./model-providers.ts";

const timeoutMs = 10_000;
/** The longest list of a provider is some hundred KB. */
const maxBytes = 4 * 1024 * 1024;

const Listing = z.union([
  z.object({ data: z.array(z.unknown()) }),
  z.object({ models: z.array(z.unknown()) }),
]);

export interface KeyAttempt {
  provider: ModelProvider;
  base: string;
  key: string | undefined;
}

export async function testKey({ provider, base, key }: KeyAttempt, limitMs = timeoutMs): Promise<KeyTest> {
  const address = parseUrl(provider.list(base));
  if (address === null) return { outcome: "unreachable", host: "" };
  const { host } = address;
  const signal = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(address, {
      headers: { accept: "application/json", ...(key === undefined ? {} : provider.headers(key)) },
      redirect: "manual",
      signal,
    });
    return { host, ...(await judge(response, provider)) };
  } catch {
    return { host, outcome: signal.aborted ? "slow" : "unreachable" };
  }
}

async function judge(response: Response, { name }: ModelProvider): Promise<Omit<KeyTest, "host">> {
  const { status } = response;
  if (!response.ok) {
    await response.body?.cancel();
    if (status === 401 || status === 403) return { outcome: "refused", status };
    // So Google answers to a key that it does not know.
    if (status === 400 && name === "google") return { outcome: "refused", status };
    if (status === 404 || status === 405) return { outcome: "unchecked", status };
    return { outcome: "failed", status };
  }
  const read = Listing.safeParse(await jsonOf(response));
  if (!read.success) return { outcome: "strange", status };
  return {
    outcome: "works",
    status,
    models: ("data" in read.data ? read.data.data : read.data.models).length,
  };
}

/** Undefined: it is too long, or none. */
async function jsonOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined; // leaving the loop cancels the rest
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

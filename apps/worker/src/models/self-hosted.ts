// Asks an OpenAI-compatible server which models it has. Such a server is often simply not running,
// so a failure is a result and not an exception.
import * as z from "zod/mini";
import { isSelfHosted, type ProviderName } from "../config/providers.ts";
import type { ProviderAccess, WorkerConfig } from "../config/worker-config.ts";
import { knownModels, type Model, selfHosted } from "./catalog.ts";

type Listing = { ok: true; ids: string[] } | { ok: false; problem: string };

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** A server on this machine or network answers at once or not at all. */
const timeoutMs = 3_000;

export async function listSelfHosted(access: ProviderAccess): Promise<Listing> {
  const base = (access.baseUrl ?? "").replace(/\/$/, "");
  try {
    const answer = await fetch(`${base}/models`, {
      headers: { authorization: `Bearer ${access.apiKey}` },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!answer.ok) return { ok: false, problem: `answered with status ${answer.status}` };
    const list = ModelList.safeParse(await answer.json());
    if (!list.success) return { ok: false, problem: "did not answer with a list of models" };
    return { ok: true, ids: list.data.data.map((model) => model.id) };
  } catch {
    return { ok: false, problem: "cannot be reached" };
  }
}

/** What `get_models` lists: the catalog's models, or what the server itself lists. */
export async function modelsOf(provider: ProviderName, access: ProviderAccess): Promise<Model[]> {
  const known = knownModels(provider, access);
  if (!isSelfHosted(provider) || known.length > 0) return known;
  const listed = await listSelfHosted(access);
  return listed.ok ? listed.ids.map((id) => selfHosted(provider, id, access)) : [];
}

export async function usableModels(access: WorkerConfig["access"]): Promise<Model[]> {
  const lists = [...access].map(([provider, one]) => modelsOf(provider, one));
  return (await Promise.all(lists)).flat();
}

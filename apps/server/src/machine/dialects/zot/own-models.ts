// zot's own form of models. It takes the id alone, stays with the provider that it was started with, and replaces a model or provider
// that it does not know by its default without a word. The built-in worker, which names capabilities, reads every form itself.
import * as z from "zod/mini";
import type { WorkerBound } from "../dialect.ts";

const Hello = z.looseObject({
  provider: z.string(),
  model: z.string(),
  capabilities: z.optional(z.array(z.string())),
});

/** What can be before the slash of a model. Other ids with a slash are whole names. */
const providers: ReadonlySet<string> = new Set([
  "anthropic",
  "openai",
  "kimi",
  "ollama",
  "deepseek",
  "google",
]);

interface ModelChoice {
  provider: string | undefined;
  model: string;
}

/** Only the first slash separates: model ids of gateways contain slashes themselves. */
export function readModelChoice(model: string): ModelChoice {
  const slash = model.indexOf("/");
  if (slash === -1) return { provider: undefined, model };
  return { provider: model.slice(0, slash), model: model.slice(slash + 1) };
}

export class ZotModels {
  readonly #wanted: ModelChoice | undefined;
  /** zot's provider. Undefined: it has not been greeted, or is the built-in worker. */
  #provider: string | undefined;
  /** Why it must not be used. */
  problem: string | undefined;

  /** `wanted`: the model that it was started with, if one was chosen. */
  constructor(wanted: string | undefined) {
    this.#wanted = wanted === undefined ? undefined : readModelChoice(wanted);
  }

  greeted(data: unknown): void {
    const hello = Hello.safeParse(data).data;
    if (hello === undefined || hello.capabilities !== undefined) return;
    this.#provider = hello.provider;
    const { provider = hello.provider, model = hello.model } = this.#wanted ?? {};
    if (provider === hello.provider && model === hello.model) return;
    this.problem = `zot does not have the model "${provider}/${model}" and would use "${hello.provider}/${hello.model}" instead. Choose a model that it lists`;
  }

  /** The command in zot's form, or why it cannot be carried out. */
  translate(command: WorkerBound): { command: WorkerBound } | { error: string } {
    const own = this.#provider;
    if (command.type !== "set_model" || own === undefined) return { command };
    const { model, modelId, provider, ...rest } = command;
    const given = model ?? modelId;
    const named = typeof given === "string" ? given : "";
    const slash = named.indexOf("/");
    const prefix = providers.has(named.slice(0, slash)) ? named.slice(0, slash) : undefined;
    const wanted = prefix ?? (typeof provider === "string" ? provider : own);
    if (wanted !== own)
      return {
        error: `zot stays with the provider that it was started with, which is ${own}. Start a new session for a model of ${wanted}.`,
      };
    const id = prefix === undefined ? named : named.slice(slash + 1);
    return { command: { ...rest, model: id } };
  }
}

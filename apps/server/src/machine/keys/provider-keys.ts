// The keys and addresses of model providers: those that a person entered in the page, kept encrypted in the home, and those of
// the server's environment. What the page has wins. An address of the page is never given a key of the environment: whoever
// can change an address could otherwise have the key sent to a place of their own.
import { join } from "node:path";
import {
  type KeyProvider,
  type KeysInfo,
  PatchbayError,
  type TestKey,
  type UpdateKey,
} from "@patchbay/protocol";
import * as z from "zod/mini";
import { type ModelProvider, modelProviders, parseUrl } from "./model-providers.ts";
import { SealedFile } from "./sealed-file.ts";

const KeptKey = z.object({
  key: z.optional(z.string()),
  base_url: z.optional(z.string()),
  /** Also for agents whose profile asks for it. */
  shared: z.boolean(),
});
type KeptKey = z.infer<typeof KeptKey>;

const KeptKeys = z.record(z.string(), KeptKey);
type KeptKeys = z.infer<typeof KeptKeys>;

type Environment = Readonly<Record<string, string | undefined>>;

/** An agent that a key may be for. */
interface Asker {
  readonly name: string;
  readonly env: readonly string[];
}

interface ProviderKeysOptions {
  home: string;
  environment: Environment;
  /** Called when kept keys cannot be read. */
  onUnreadable(error: unknown): void;
}

/** A shorter key would be half shown. */
const shownFrom = 20;

export class ProviderKeys {
  readonly #file: SealedFile;
  readonly #environment: Environment;
  #kept: KeptKeys;
  #problem: string | undefined;
  /** Changes are saved one after the other. */
  #saving: Promise<void> = Promise.resolve();

  static async open({ home, environment, onUnreadable }: ProviderKeysOptions): Promise<ProviderKeys> {
    const file = new SealedFile(join(home, "provider-keys.json"), join(home, "provider-keys.secret"));
    try {
      const text = await file.read();
      return new ProviderKeys(file, environment, text === undefined ? {} : KeptKeys.parse(JSON.parse(text)));
    } catch (error) {
      onUnreadable(error);
      return new ProviderKeys(
        file,
        environment,
        {},
        "The saved keys cannot be read: provider-keys.json or provider-keys.secret is missing, damaged or from another home. Enter the keys again.",
      );
    }
  }

  private constructor(file: SealedFile, environment: Environment, kept: KeptKeys, problem?: string) {
    this.#file = file;
    this.#environment = environment;
    this.#kept = kept;
    this.#problem = problem;
  }

  /** `askers`: the agents that there are, besides the built-in one. */
  view(askers: readonly Asker[]): KeysInfo {
    return {
      providers: modelProviders.map((provider) => this.#viewOf(provider, askers)),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
  }

  #viewOf(provider: ModelProvider, askers: readonly Asker[]): KeyProvider {
    const kept = this.#kept[provider.name];
    const { keys, url, ownUrl } = provider;
    const replaced = replacedBy(kept, provider);
    const isSet = (name: string): boolean => (this.#environment[name] ?? "") !== "";
    const fromEnvironment = (name: string): boolean => isSet(name) && !replaced.includes(name);
    const envUrl = fromEnvironment(url) ? withoutSecrets(this.#environment[url] ?? "") : null;
    return {
      name: provider.name,
      keyless: ownUrl === undefined,
      key:
        kept?.key !== undefined
          ? {
              from: "page",
              ...(kept.key.length >= shownFrom ? { ending: kept.key.slice(-4) } : {}),
            }
          : keys.some(fromEnvironment)
            ? { from: "environment" }
            : null,
      base_url:
        kept?.base_url !== undefined
          ? { from: "page", url: kept.base_url }
          : envUrl === null
            ? null
            : { from: "environment", url: envUrl },
      ...(ownUrl === undefined ? {} : { default_url: ownUrl }),
      variables: { keys: [...keys], base_url: url },
      unused: replaced.filter(isSet),
      shared: kept?.shared === true,
      asked_by: askers.filter(({ env }) => keys.some((key) => env.includes(key))).map(({ name }) => name),
    };
  }

  /** Saves before it takes effect, so that a confirmed change survives a crash. */
  update(name: string, change: UpdateKey): Promise<void> {
    const provider = find(name);
    return this.#save((kept) => {
      const now = changed(kept[name], change, provider);
      return { ...kept, [name]: now };
    });
  }

  remove(name: string): Promise<void> {
    find(name);
    return this.#save(({ [name]: _removed, ...others }) => others);
  }

  #save(change: (kept: KeptKeys) => KeptKeys): Promise<void> {
    const saved = this.#saving.then(async () => {
      const kept = change(this.#kept);
      if (Object.keys(kept).length === 0) await this.#file.remove();
      else await this.#file.write(JSON.stringify(kept));
      this.#kept = kept;
      this.#problem = undefined;
    });
    this.#saving = saved.catch(() => {});
    return saved;
  }

  /** What a test calls: what is entered now, completed by what is in use where that gives away no key. */
  forTest(
    name: string,
    entered: TestKey,
  ): { provider: ModelProvider; base: string; key: string | undefined } {
    const provider = find(name);
    const used = this.environmentFor(
      { name: "builtin", env: [] },
      this.#set([...provider.keys, provider.url]),
    );
    const usedUrl = used[provider.url];
    const usedKey = provider.keys.map((key) => used[key]).find((value) => value !== undefined);
    const wanted =
      entered.base_url === undefined
        ? undefined
        : entered.base_url === ""
          ? provider.ownUrl
          : checkedUrl(entered.base_url);
    const base = (wanted ?? usedUrl ?? provider.ownUrl)?.replace(/\/+$/, "");
    if (base === undefined) throw new PatchbayError("bad_request", "Enter the base URL first.");
    const isSamePlace = base === (usedUrl ?? provider.ownUrl)?.replace(/\/+$/, "");
    const key = entered.key ?? (isSamePlace ? usedKey : undefined);
    if (key === undefined && provider.ownUrl !== undefined)
      throw new PatchbayError(
        "bad_request",
        isSamePlace
          ? "Enter the key first."
          : "Enter the key too: a saved key is not sent to another address.",
      );
    return { provider, base, key };
  }

  /** Those of the names that have a value in the environment. */
  #set(names: readonly string[]): Record<string, string> {
    const entries = names.map((name) => [name, this.#environment[name] ?? ""] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== ""));
  }

  /** The variables of an agent: its own, of which those are replaced that the page has another value for. */
  environmentFor(agent: Asker, own: Readonly<Record<string, string>>): Record<string, string> {
    const variables: Record<string, string> = { ...own };
    for (const provider of modelProviders) {
      const kept = this.#kept[provider.name];
      if (kept === undefined || !isFor(kept, provider, agent)) continue;
      for (const name of replacedBy(kept, provider)) delete variables[name];
      const key = provider.keys.find((name) => agent.name === "builtin" || agent.env.includes(name));
      if (kept.key !== undefined && key !== undefined) variables[key] = kept.key;
      if (kept.base_url !== undefined) variables[provider.url] = kept.base_url;
    }
    return variables;
  }
}

/** The built-in agent gets everything; another one what is shared, if it also takes the address that the key is for. */
function isFor({ shared, base_url }: KeptKey, { keys, url }: ModelProvider, { name, env }: Asker): boolean {
  if (name === "builtin") return true;
  return shared && keys.some((key) => env.includes(key)) && (base_url === undefined || env.includes(url));
}

/** The variables of the environment that do not count beside what the page has. */
function replacedBy(kept: KeptKey | undefined, { keys, url, others = [] }: ModelProvider): readonly string[] {
  if (kept === undefined) return [];
  if (kept.base_url !== undefined) return [...keys, url, ...others];
  return kept.key === undefined ? [] : keys;
}

function changed(kept: KeptKey | undefined, change: UpdateKey, provider: ModelProvider): KeptKey {
  const { keys, ownUrl } = provider;
  if (change.key !== undefined && keys.length === 0)
    throw new PatchbayError("bad_request", "This provider takes no key.");
  const before = kept?.base_url;
  const base_url =
    change.base_url === undefined ? before : change.base_url === "" ? undefined : checkedUrl(change.base_url);
  // A key is for one address only.
  const key = change.key ?? (base_url === before ? kept?.key : undefined);
  if (key === undefined && ownUrl !== undefined)
    throw new PatchbayError(
      "bad_request",
      kept?.key === undefined
        ? "Enter a key."
        : "Enter the key too: a saved key is not sent to another address.",
    );
  if (ownUrl === undefined && base_url === undefined)
    throw new PatchbayError("bad_request", "Enter the base URL of the server.");
  return {
    ...(key === undefined ? {} : { key }),
    ...(base_url === undefined ? {} : { base_url }),
    shared: change.shared ?? kept?.shared ?? false,
  };
}

function find(name: string): ModelProvider {
  const provider = modelProviders.find((known) => known.name === name);
  if (provider === undefined)
    throw new PatchbayError(
      "bad_request",
      `There is no provider of that name here. Known: ${modelProviders.map((known) => known.name).join(", ")}.`,
    );
  return provider;
}

/** Without a slash at its end. */
function checkedUrl(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "")
    throw new PatchbayError("bad_request", "A base URL begins with http:// or https://.");
  if (url.username !== "" || url.password !== "")
    throw new PatchbayError(
      "bad_request",
      "A base URL has no user name and no password in it. Enter the key as the key.",
    );
  if (url.search !== "" || url.hash !== "")
    throw new PatchbayError("bad_request", "A base URL has no query (?) and no fragment (#).");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Of the environment, which nobody has checked. */
function withoutSecrets(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return /^[\w.:[\]-]+$/.test(text) ? text : "…";
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

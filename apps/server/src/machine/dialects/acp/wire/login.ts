// The login of an agent. It finds a method of `authenticate` that takes a key which the worker has anyway, and says what a
// person can do where there is none.
import type { AuthMethod } from "@agentclientprotocol/sdk";
import * as z from "zod/mini";
import type { AgentTraits } from "../../dialect.ts";

interface Login {
  /** What the agent offers. */
  methods: readonly AuthMethod[];
  traits: AgentTraits;
  /** The worker's variables. */
  environment: Readonly<Record<string, string>>;
}

interface KeyMethod {
  methodId: string;
  variable: string;
}

/** codex and gemini mark the methods that take a key of a provider. */
const OfProvider = z.looseObject({
  _meta: z.looseObject({ "api-key": z.looseObject({ provider: z.string() }) }),
});
const variablesOf: Readonly<Record<string, readonly string[] | undefined>> = {
  anthropic: ["ANTHROPIC_API_KEY"],
  google: ["GEMINI_API_KEY"],
  openai: ["OPENAI_API_KEY"],
};

/** The first method whose key the worker has; undefined: none. */
export function findKeyMethod({ methods, traits, environment }: Login): KeyMethod | undefined {
  for (const method of methods) {
    const variable = keyVariables(method, traits).find((name) => (environment[name] ?? "") !== "");
    if (variable !== undefined) return { methodId: method.id, variable };
  }
  return undefined;
}

function keyVariables(method: AuthMethod, { keyMethods }: AgentTraits): readonly string[] {
  const provider = OfProvider.safeParse(method).data?._meta["api-key"].provider ?? "";
  const marked = Object.hasOwn(variablesOf, provider) ? variablesOf[provider] : undefined;
  return keyMethods?.[method.id] ?? marked ?? [];
}

const authRequired = -32000;
const WithCode = z.looseObject({ code: z.number() });

export const isLoginError = (error: unknown): boolean =>
  WithCode.safeParse(error).data?.code === authRequired;

/** Replaces the error of an agent that needs a login by what to do about it. */
export function withLoginHint(error: unknown, { methods, traits }: Omit<Login, "environment">): Error {
  if (!isLoginError(error)) return error instanceof Error ? error : new Error(String(error));
  const variables = [...new Set(methods.flatMap((method) => keyVariables(method, traits)))];
  const key = variables.length === 0 ? "its API key" : variables.join(" or ");
  const ways = methods.map(({ name }) => name).join(", ");
  const run =
    traits.logIn === undefined
      ? `Run it once in a terminal${ways === "" ? "" : ` (${ways})`} to log in`
      : `Run "${traits.logIn}" in a terminal`;
  return new Error(`The agent needs a login. ${run}, or set ${key}.`);
}

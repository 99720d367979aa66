// Converts the case of names. zeroclaw's documentation shows camelCase, its daemon uses snake_case. A peer may use either, and gets
// responses in the case of its `initialize`. The server uses snake_case.
import type { RpcParams } from "./json-rpc.ts";

export type Casing = "snake" | "camel";

/** Values whose names are not converted: the arguments of tools. */
const opaque: ReadonlySet<string> = new Set(["raw_input"]);

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Converts the names of the parameters, not names within their values. */
export function snakeKeys(params: RpcParams): RpcParams {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [snake(name), value]));
}

/** camelCase only if the peer uses it. */
export const casingOf = (params: RpcParams): Casing =>
  Object.keys(params).some((name) => name === "protocolVersion" || name === "tuiId") ? "camel" : "snake";

export function inCasing(value: unknown, casing: Casing): unknown {
  if (casing === "snake" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => inCasing(item, casing));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      camel(name),
      opaque.has(name) ? item : inCasing(item, casing),
    ]),
  );
}

// zeroclaw's page shows camelCase, its daemon speaks snake_case: a peer may use either, and is answered in the one
// it used in `initialize`. Inside, everything is snake_case.
import type { RpcParams } from "./json-rpc.ts";

export type Casing = "snake" | "camel";

/** Values that are somebody else's: a tool's arguments keep the names they have. */
const opaque: ReadonlySet<string> = new Set(["raw_input"]);

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The names of the parameters themselves; what they hold is read as it is. */
export function snakeKeys(params: RpcParams): RpcParams {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [snake(name), value]));
}

/** camelCase only where a peer shows that it means it. */
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

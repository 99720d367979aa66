// Every dialect there is, by the name that profiles use.
import { acpDialect } from "./acp/dialect.ts";
import type { Dialect } from "./dialect.ts";
import { ompDialect, piDialect } from "./pi/dialect.ts";
import { zeroclawDialect } from "./zeroclaw/dialect.ts";
import { zotDialect } from "./zot.ts";

export const dialects = {
  zot: zotDialect,
  pi: piDialect,
  omp: ompDialect,
  acp: acpDialect,
  zeroclaw: zeroclawDialect,
} as const satisfies Record<string, Dialect>;
export type DialectName = keyof typeof dialects;
export const dialectNames = ["zot", "pi", "omp", "acp", "zeroclaw"] as const satisfies readonly DialectName[];

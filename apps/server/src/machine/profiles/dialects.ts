// The implementation of each dialect, by the name that profiles use.
import { acpDialect } from "../dialects/acp/dialect.ts";
import type { Dialect, DialectName } from "../dialects/dialect.ts";
import { ompDialect, piDialect } from "../dialects/pi/dialect.ts";
import { zeroclawDialect } from "../dialects/zeroclaw/dialect.ts";
import { zotDialect } from "../dialects/zot/dialect.ts";

export const dialects = {
  zot: zotDialect,
  pi: piDialect,
  omp: ompDialect,
  acp: acpDialect,
  zeroclaw: zeroclawDialect,
} as const satisfies Record<DialectName, Dialect>;

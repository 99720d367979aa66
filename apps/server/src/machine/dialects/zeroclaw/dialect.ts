// zeroclaw: a daemon that runs anyway, reached through its socket. What it is asked follows what it really speaks.
import type { Dialect } from "../dialect.ts";
import { ZeroclawTranslation } from "./translation.ts";

export const zeroclawDialect: Dialect = {
  name: "zeroclaw",
  startArguments: () => [], // nothing is started
  open: (sides) => new ZeroclawTranslation(sides),
};

// zeroclaw: a daemon that is already running, reached through its socket. The calls follow what that socket really accepts.
import type { Dialect } from "../dialect.ts";
import { daemonCapabilities, ZeroclawTranslation } from "./translation.ts";

export const zeroclawDialect: Dialect = {
  name: "zeroclaw",
  capabilities: daemonCapabilities,
  startArguments: () => [], // no process is started
  open: (host) => new ZeroclawTranslation(host),
};

// ACP, the Agent Client Protocol (version 1), by its official SDK: agents that editors use. The SDK is loaded when the
// first such agent is started, because building its schemas takes a while.
import type { Dialect } from "../dialect.ts";
import { AcpTranslation } from "./translation.ts";

export const acpDialect: Dialect = {
  name: "acp",
  startArguments: () => [], // directory and model are sent in the protocol, when its session is opened
  open: (host) => new AcpTranslation(host),
};

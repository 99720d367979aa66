// ACP, the Agent Client Protocol (version 1): agents that editors use, spoken with the official SDK. It is loaded
// when the first such agent is started, and not before: its schemas take a while to build.
import type { Dialect } from "../dialect.ts";
import { AcpTranslation } from "./translation.ts";

export const acpDialect: Dialect = {
  name: "acp",
  startArguments: () => [], // directory and model are told in the protocol, when its session is opened
  open: (sides) => new AcpTranslation(sides),
};

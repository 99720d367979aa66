// Puts the full server together; loaded right after the first response.
import { Agent } from "./agent/agent.ts";
import type { Config } from "./config/config.ts";
import type { Flags } from "./config/flags.ts";
import { addContext } from "./context/context.ts";
import { Extensions } from "./extensions/extensions.ts";
import { addMcp } from "./mcp/mcp.ts";
import type { Model } from "./models/catalog.ts";
import type { Output } from "./output/output.ts";
import type { Gate } from "./rpc/hello.ts";
import { RpcServer } from "./rpc/server.ts";

export function createServer(parts: {
  flags: Flags;
  config: Config;
  model: Model;
  gate: Gate;
  output: Output;
  end: (code: number) => void;
}): RpcServer {
  const agent = new Agent(parts.flags, parts.config, parts.model, parts.output);
  addContext(agent);
  addMcp(agent);
  const extensions = new Extensions(agent);
  // Nothing is started for a stranger: with a token, its hello opens.
  if (!parts.flags.awaitBegin && parts.gate.open) void agent.open();
  return new RpcServer(agent, extensions, parts.gate, parts.end);
}

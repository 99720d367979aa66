// Puts the full server together; loaded right after the first response.
import { Conversation } from "../agent/conversation.ts";
import type { Config } from "../config.ts";
import type { Flags } from "../flags.ts";
import type { Model } from "../models/catalog.ts";
import type { Gate } from "./hello.ts";
import { type Output, RpcServer } from "./server.ts";

export const createServer = (parts: {
  flags: Flags;
  config: Config;
  model: Model;
  gate: Gate;
  output: Output;
  end: (code: number) => void;
}): RpcServer =>
  new RpcServer(
    new Conversation(parts.flags, parts.config, parts.model),
    parts.gate,
    parts.output,
    parts.end,
  );

// Reads and builds JSON-RPC 2.0 messages, one per line. Batches are not supported, as in zeroclaw.
import { commandBounds, readJson } from "@patchbay/protocol";
import * as z from "zod/mini";

export const rpcErrors = {
  parse: -32700,
  invalid: -32600,
  unknownMethod: -32601,
  badParams: -32602,
  internal: -32603,
  noSession: -32000,
  tooManySessions: -32001,
  busy: -32002,
  notOwned: -32003,
  notInitialized: -32010,
  versionMismatch: -32011,
} as const;

/** The error response of a failed call. */
export class RpcError extends Error {
  override name = "RpcError";
  readonly code: number;

  constructor(kind: keyof typeof rpcErrors, message: string) {
    super(message);
    this.code = rpcErrors[kind];
  }
}

const Id = z.union([z.string(), z.number(), z.null()]);
export type RpcId = z.infer<typeof Id>;

const Params = z.record(z.string(), z.unknown());
export type RpcParams = z.infer<typeof Params>;

/** Without an `id` it is a notification, which has no response. */
const Call = z.object({
  jsonrpc: z.literal("2.0"),
  method: z.string(),
  id: z.optional(Id),
  params: z.optional(Params),
});
export type RpcCall = z.infer<typeof Call>;

export type RpcReading =
  | { kind: "call"; call: RpcCall }
  | { kind: "bad"; id: RpcId; error: RpcError }
  /** The server sends no calls to peers, so it ignores responses. */
  | { kind: "response" };

export function readRpc(line: string): RpcReading {
  const json = readJson(line, commandBounds);
  if (!json.ok)
    return {
      kind: "bad",
      id: null,
      error: new RpcError("parse", json.isJson ? `This line is ${json.problem}.` : "This line is not JSON."),
    };
  const { value } = json;
  const shape = z.safeParse(z.looseObject({ id: z.optional(Id) }), value).data;
  const isCall = shape !== undefined && "method" in shape;
  const isResponse = shape !== undefined && ("result" in shape || "error" in shape);
  // Both or neither: no one can know which message the id belongs to, so the response names none, as in zeroclaw.
  if (isCall === isResponse) {
    const message = 'A message has either a "method" or one of "result" and "error".';
    return { kind: "bad", id: null, error: new RpcError("invalid", message) };
  }
  if (isResponse) return { kind: "response" };
  const call = Call.safeParse(value);
  if (call.success) return { kind: "call", call: call.data };
  const message =
    'A message is {"jsonrpc":"2.0","id":1,"method":"…","params":{…}}: the version exactly "2.0", params an object.';
  return { kind: "bad", id: shape?.id ?? null, error: new RpcError("invalid", message) };
}

export const result = (id: RpcId, value: object): object => ({ jsonrpc: "2.0", result: value, id });
export const rpcFailure = (id: RpcId, { code, message }: RpcError): object => ({
  jsonrpc: "2.0",
  error: { code, message },
  id,
});
export const notification = (method: string, params: object): object => ({ jsonrpc: "2.0", method, params });

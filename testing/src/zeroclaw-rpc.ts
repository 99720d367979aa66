// The envelope of zeroclaw's socket, as protocols/zeroclaw.md defines it: the form of a line, and the codes of errors.
import type { Socket } from "node:net";

export type Params = Record<string, unknown>;
export type Reply = { result: object } | { error: { code: number; message: string } };

export const fail = (code: number, message: string): Reply => ({ error: { code, message } });

export const write = (socket: Socket, message: object): void => {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
};

type Incoming =
  | { kind: "call"; id: unknown; method: string; params: Params | undefined }
  | { kind: "mistake"; id: unknown; reply: Reply }
  /** A response to a call of the daemon's. */
  | { kind: "response"; id: unknown; result: unknown }
  | { kind: "nothing" };

export function readLine(line: string): Incoming {
  if (line.trim() === "") return { kind: "nothing" };
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { kind: "mistake", id: null, reply: fail(-32700, "Parse error") };
  }
  const fields = fieldsOf(message);
  const isCall = fields !== undefined && "method" in fields;
  const isAnswer = fields !== undefined && ("result" in fields || "error" in fields);
  if (fields === undefined || isCall === isAnswer)
    return { kind: "mistake", id: null, reply: fail(-32600, "Invalid request: ambiguous") };
  const { id, method, jsonrpc } = fields;
  if (isAnswer) return { kind: "response", id, result: fields["result"] };
  const given = fields["params"];
  const params = Array.isArray(given) ? {} : fieldsOf(given);
  if (typeof method !== "string" || jsonrpc !== "2.0" || ("params" in fields && params === undefined))
    return { kind: "mistake", id: id ?? null, reply: fail(-32600, "Invalid request") };
  return { kind: "call", id, method, params };
}

function fieldsOf(value: unknown): Params | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? Object.fromEntries(Object.entries(value)) : undefined;
}

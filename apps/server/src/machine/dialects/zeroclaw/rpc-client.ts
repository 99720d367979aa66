// Calls the zeroclaw daemon by JSON-RPC lines. Every call is answered or rejected, also when the connection breaks.
import { foreignBounds, linesOf, readJson } from "@patchbay/protocol";
import * as z from "zod/mini";

const Incoming = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.optional(z.union([z.string(), z.number(), z.null()])),
  method: z.optional(z.string()),
  params: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ code: z.number(), message: z.string() })),
});

class DaemonError extends Error {
  override name = "DaemonError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The daemon closes the connection without an error when a line is longer, its newline included. */
const maxFrameBytes = 8 * 1024 * 1024;

export const isRefusal = (error: unknown, ...codes: number[]): boolean =>
  error instanceof DaemonError && codes.includes(error.code);

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class DaemonClient {
  readonly #send: (line: string) => void;
  readonly #onNotification: (method: string, params: unknown) => void;
  readonly #onNoise: (line: string) => void;
  readonly #pending = new Map<string, PendingCall>();
  #next = 1;

  constructor(
    send: (line: string) => void,
    onNotification: (method: string, params: unknown) => void,
    onNoise: (line: string) => void,
  ) {
    this.#send = send;
    this.#onNotification = onNotification;
    this.#onNoise = onNoise;
  }

  async call(method: string, params: object): Promise<unknown> {
    return this.prepare(method, params)();
  }

  /** Returns a function that makes the call. Throws when the daemon would not accept the line. */
  prepare(method: string, params: object): () => Promise<unknown> {
    const id = `c-${this.#next++}`;
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > maxFrameBytes) {
      const mib = (bytes / 1024 / 1024).toFixed(1);
      throw new Error(
        `The prompt is too large: ${mib} MiB, and zeroclaw accepts 8 MiB. Images grow by a third when they are sent. Send fewer or smaller images.`,
      );
    }
    return () =>
      new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        this.#send(line);
      });
  }

  receive(run: Uint8Array): void {
    const decoder = new TextDecoder();
    for (const bytes of linesOf(run)) this.#line(decoder.decode(bytes));
  }

  /** Rejects every pending call. */
  failAll(message: string): void {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new Error(message));
  }

  #line(line: string): void {
    const message = read(line);
    if (message === undefined) return this.#onNoise(line);
    const { id, method, params, result, error } = message;
    if (method !== undefined) {
      if (id === undefined) return this.#onNotification(method, params);
      // The daemon has no reason to call: we announce no capability to it.
      const refusal = { code: -32601, message: `Unknown method: ${method}` };
      return this.#send(JSON.stringify({ jsonrpc: "2.0", id, error: refusal }));
    }
    const pending = this.#pending.get(String(id));
    this.#pending.delete(String(id));
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new DaemonError(error.code, error.message));
  }
}

/** Undefined: noise. */
function read(line: string): z.infer<typeof Incoming> | undefined {
  const json = readJson(line, foreignBounds);
  return json.ok ? Incoming.safeParse(json.value).data : undefined;
}

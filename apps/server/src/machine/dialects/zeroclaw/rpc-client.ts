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
const unknownMethod = -32601;
const internalError = -32603;

export const isRefusal = (error: unknown, ...codes: number[]): boolean =>
  error instanceof DaemonError && codes.includes(error.code);

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface DaemonClientOptions {
  send(line: string): void;
  onNotification(method: string, params: unknown): void;
  /** Resolves with the result of a call of the daemon's; undefined: there is no such method. */
  onCall(method: string, params: unknown): Promise<object> | undefined;
  onNoise(line: string): void;
}

/** No method of the daemon's: the response to it shows that it has read everything before. */
const probeMethod = "$/probe";

export class DaemonClient {
  readonly #options: DaemonClientOptions;
  readonly #pending = new Map<string, PendingCall>();
  #next = 1;
  /** Why calls cannot be made now. */
  #broken: string | undefined;
  #hasRefusedLine = false;

  constructor(options: DaemonClientOptions) {
    this.#options = options;
  }

  /**
   * Whether the daemon understands responses to its own calls. The tagged v0.8.4 and older do not, though later builds report the same
   * version: they refuse the line, and their tool would wait for its whole time limit.
   */
  async understandsResponses(): Promise<boolean> {
    this.#hasRefusedLine = false;
    this.#options.send(JSON.stringify({ jsonrpc: "2.0", id: "none", result: {} }));
    await this.probe();
    return !this.#hasRefusedLine;
  }

  /** Resolves when the daemon has read everything that was sent before; rejects when the connection is broken. */
  async probe(): Promise<void> {
    try {
      await this.call(probeMethod, {});
    } catch (error) {
      if (!isRefusal(error, unknownMethod)) throw error;
    }
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
        if (this.#broken !== undefined) return reject(new Error(this.#broken));
        this.#pending.set(id, { resolve, reject });
        this.#options.send(line);
      });
  }

  receive(run: Uint8Array): void {
    const decoder = new TextDecoder();
    for (const bytes of linesOf(run)) this.#line(decoder.decode(bytes));
  }

  /** Rejects every pending call, and every further one until the connection is back. */
  breakOff(message: string): void {
    this.#broken = message;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new Error(message));
  }

  reconnected(): void {
    this.#broken = undefined;
  }

  #line(line: string): void {
    const message = read(line);
    if (message === undefined) return this.#options.onNoise(line);
    const { id, method, params, result, error } = message;
    if (method !== undefined) {
      if (id === undefined) return this.#options.onNotification(method, params);
      return this.#answer(id, method, params);
    }
    if (id === null) {
      this.#hasRefusedLine = true;
      return;
    }
    const pending = this.#pending.get(String(id));
    this.#pending.delete(String(id));
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new DaemonError(error.code, error.message));
  }

  #answer(id: string | number | null, method: string, params: unknown): void {
    const respond = (outcome: object) =>
      this.#options.send(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
    const answer = this.#options.onCall(method, params);
    if (answer === undefined)
      return respond({ error: { code: unknownMethod, message: `Unknown method: ${method}` } });
    answer.then(
      (result) => respond({ result }),
      (error: unknown) => respond({ error: { code: internalError, message: String(error) } }),
    );
  }
}

/** Undefined: noise. */
function read(line: string): z.infer<typeof Incoming> | undefined {
  const json = readJson(line, foreignBounds);
  return json.ok ? Incoming.safeParse(json.value).data : undefined;
}

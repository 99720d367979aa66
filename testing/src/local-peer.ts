// A peer of the local socket for tests: JSON-RPC lines in both directions. It keeps all received lines, and a test awaits those that
// it needs.
import { connect, type Socket } from "node:net";

export type RpcLine = Record<string, unknown> & {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
};

export class LocalPeer implements AsyncDisposable {
  readonly lines: RpcLine[] = [];
  closed = false;
  readonly socket: Socket;
  #rest = "";
  #next = 1;
  #changed: (() => void)[] = [];

  constructor(path: string) {
    this.socket = connect({ path, allowHalfOpen: true });
    this.socket.setEncoding("utf8").on("data", (text) => {
      const parts = (this.#rest + String(text)).split("\n");
      this.#rest = parts.pop() ?? "";
      for (const part of parts) this.lines.push(JSON.parse(part) as RpcLine);
      this.#wake();
    });
    this.socket.on("end", () => this.socket.end());
    this.socket.on("error", () => {}); // `closed` settles
    this.socket.on("close", () => {
      this.closed = true;
      this.#wake();
    });
  }

  /** Returns a peer that has called `initialize`. */
  static async at(path: string, params: object = { protocol_version: 1 }): Promise<LocalPeer> {
    const peer = new LocalPeer(path);
    await peer.ask("initialize", params);
    return peer;
  }

  write(text: string): void {
    this.socket.write(text);
  }

  /** Sends a call. Its response is awaited with `answer`. */
  call(method: string, params: object = {}): number {
    const id = this.#next++;
    this.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return id;
  }

  async answer(id: unknown): Promise<RpcLine> {
    const isIt = (line: RpcLine) => line.method === undefined && line.id === id;
    await this.until(() => this.lines.some(isIt));
    return this.lines.find(isIt) as RpcLine;
  }

  /** Calls and returns the result; throws the error of the response. */
  async ask(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const { result, error } = await this.answer(this.call(method, params));
    if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
    return result ?? {};
  }

  async refusal(method: string, params: object = {}): Promise<{ code: number; message: string }> {
    const { error } = await this.answer(this.call(method, params));
    if (error === undefined) throw new Error(`${method} was not refused`);
    return error;
  }

  /** The `session/update` notifications so far, optionally of one type. */
  updates(type?: string): Record<string, unknown>[] {
    return this.lines
      .filter((line) => line.method === "session/update")
      .map((line) => line.params ?? {})
      .filter((update) => type === undefined || update["type"] === type);
  }

  async update(type: string): Promise<Record<string, unknown>> {
    await this.until(() => this.updates(type).length > 0);
    return this.updates(type)[0] ?? {};
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.closed)
        throw new Error(`the socket closed; it had said ${JSON.stringify(this.lines.slice(-5))}`);
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  async untilClosed(): Promise<void> {
    while (!this.closed) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.destroy();
    await this.untilClosed();
  }

  #wake(): void {
    const waiting = this.#changed;
    this.#changed = [];
    for (const resolve of waiting) resolve();
  }
}

// One peer of the local socket. Its calls run one after another, as in zeroclaw, except `session/prompt`, which takes as long as a
// turn. While a call runs nothing more is read from the peer, which bounds the waiting calls.
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { type ErrorCode, explain, LineSplitter, LineTooLongError, linesOf } from "@patchbay/protocol";
import * as z from "zod/mini";
import { type Casing, casingOf, inCasing, snakeKeys } from "./casing.ts";
import {
  notification,
  type RpcCall,
  RpcError,
  type RpcId,
  type RpcParams,
  readRpc,
  result,
  rpcFailure,
} from "./json-rpc.ts";
import { LocalViewer, type PeerOutput } from "./local-viewer.ts";
import {
  type Caller,
  callMethod,
  methodNames,
  type PeerDependencies,
  rpcError,
  startPrompt,
} from "./methods.ts";
import type { LocalUpdate } from "./updates.ts";

const protocolVersion = 1;

/** The limit of zeroclaw. A prompt with attachments must fit. */
const maxLineBytes = 8 * 1024 * 1024;

/** While this much is unsent, the peer does not read, and the server reads none of its calls. */
const maxUnsentBytes = 4 * 1024 * 1024;

/** Each costs an attachment. zeroclaw has the same limit. */
const maxSessions = 64;

/** Prompts of one peer that run or wait, in all its sessions. */
const maxPrompts = 256;

const Initialize = z.object({
  protocol_version: z._default(z.int(), protocolVersion),
  tui_id: z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/))),
});

class Peer implements Caller, PeerOutput {
  readonly #socket: Socket;
  readonly #dependencies: PeerDependencies;
  readonly #splitter = new LineSplitter({ maxLineBytes });
  readonly #viewers = new Map<string, Promise<LocalViewer>>();
  #identity: { casing: Casing; id: string } | null = null;
  #prompts = 0;
  /** Resolves when all calls read so far have ended or, if prompts, started. */
  #served: Promise<void> = Promise.resolve();
  #leaving: "no" | "hasEnded" | "gone" = "no";

  constructor(socket: Socket, dependencies: PeerDependencies) {
    this.#socket = socket;
    this.#dependencies = dependencies;
    socket.on("error", () => {}); // a reset: `close` follows
    socket.on("data", (chunk: Buffer) => this.#read(() => this.#splitter.pushRuns(chunk)));
    socket.on("end", () => {
      this.#leaving = "hasEnded";
      this.#read(() => [this.#splitter.end() ?? new Uint8Array(0)]);
    });
    socket.on("close", () => this.#detachAll());
  }

  get key(): string {
    return this.#identity?.id ?? "";
  }

  viewer(session: string): Promise<LocalViewer> {
    const known = this.#viewers.get(session);
    if (known !== undefined) return known;
    if (this.#viewers.size >= maxSessions)
      throw new RpcError(
        "tooManySessions",
        `${maxSessions} sessions are open, which is the limit of one program. Close one first.`,
      );
    const viewer = this.#attach(session);
    this.#viewers.set(session, viewer);
    viewer.catch(() => this.#viewers.delete(session));
    return viewer;
  }

  leave(session: string): void {
    const viewer = this.#viewers.get(session);
    this.#viewers.delete(session);
    viewer?.then((attached) => attached.detach()).catch(() => {}); // it was never attached
  }

  update(update: LocalUpdate): void {
    this.#write(notification("session/update", this.#cased(update)));
  }

  drained(): Promise<void> {
    if (this.#socket.writableLength === 0 || !this.#socket.writable) return Promise.resolve();
    // The callback of an empty write runs when all earlier writes have ended or failed.
    return new Promise((resolve) => this.#socket.write("", () => resolve()));
  }

  buffered(): number {
    return this.#socket.writableLength;
  }

  closed(session: string, code: ErrorCode): void {
    this.#viewers.delete(session);
    if (code === "session_deleted") return;
    if (code === "too_slow") this.#socket.destroy();
    else setImmediate(() => this.#socket.destroySoon()); // the responses to its prompts are sent first
  }

  async #attach(id: string): Promise<LocalViewer> {
    const session = await this.#dependencies.hub.open(id);
    const viewer = new LocalViewer(session, this);
    await viewer.attach();
    if (this.#leaving === "gone") viewer.detach();
    return viewer;
  }

  #read(split: () => Uint8Array[]): void {
    try {
      for (const run of split()) this.#serveRun(Buffer.from(run)); // a copy: the splitter's view is valid only now
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      this.#write(rpcFailure(null, new RpcError("invalid", `A line is longer than ${maxLineBytes} bytes.`)));
      this.#socket.removeAllListeners("data").destroySoon();
    }
  }

  #serveRun(run: Uint8Array): void {
    this.#socket.pause();
    this.#served = this.#served
      .then(() => this.#serveLines(run))
      .catch((error: unknown) => this.#write(rpcFailure(null, rpcError(error))))
      .finally(() => {
        this.#socket.resume();
        if (this.#leaving === "hasEnded") this.#endWhenIdle();
      });
  }

  async #serveLines(run: Uint8Array): Promise<void> {
    const decoder = new TextDecoder();
    for (const line of linesOf(run)) {
      if (this.#leaving === "gone") return;
      const reading = readRpc(decoder.decode(line));
      if (reading.kind === "bad") this.#write(rpcFailure(reading.id, reading.error));
      if (reading.kind === "call") await this.#serve(reading.call);
      if (this.#socket.writableLength > maxUnsentBytes) await this.drained();
    }
  }

  /** Resolves when the next call may be read. */
  async #serve(call: RpcCall): Promise<void> {
    if (call.method === "session/prompt" && this.#identity !== null) await this.#prompt(call);
    else await this.#respond(call, this.#call(call.method, call.params ?? {}));
  }

  async #prompt(call: RpcCall): Promise<void> {
    if (this.#prompts >= maxPrompts) {
      const message = `${maxPrompts} prompts are running or waiting, which is the limit of one program. Wait until one is done.`;
      return this.#fail(call.id, new RpcError("busy", message));
    }
    try {
      const { ended } = await startPrompt(snakeKeys(call.params ?? {}), this, this.#dependencies);
      this.#prompts++;
      // `#respond` never rejects.
      void this.#respond(
        call,
        ended.then(() => ({})),
      ).then(() => {
        this.#prompts--;
        if (this.#leaving === "hasEnded") this.#endWhenIdle();
      });
    } catch (error) {
      this.#fail(call.id, rpcError(error));
    }
  }

  async #respond(call: RpcCall, outcome: Promise<object>): Promise<void> {
    try {
      const value = await outcome;
      if (call.id !== undefined) this.#write(result(call.id, this.#cased(value)));
    } catch (error) {
      this.#fail(call.id, rpcError(error));
    }
  }

  #fail(id: RpcId | undefined, error: RpcError): void {
    if (id !== undefined) this.#write(rpcFailure(id, error));
  }

  async #call(method: string, params: RpcParams): Promise<object> {
    if (method === "initialize") return this.#initialize(params);
    if (!methodNames(this.#dependencies).includes(method))
      throw new RpcError("unknownMethod", `Unknown method: ${method}`);
    if (this.#identity === null) throw new RpcError("notInitialized", "First call must be 'initialize'");
    return callMethod(method, snakeKeys(params), this, this.#dependencies);
  }

  #initialize(given: RpcParams): object {
    const read = Initialize.safeParse(snakeKeys(given));
    if (!read.success) throw new RpcError("badParams", `${explain(read.error)}.`);
    const { protocol_version, tui_id } = read.data;
    if (protocol_version !== protocolVersion) {
      const message = `Protocol version mismatch: server=${protocolVersion}, client=${protocol_version}`;
      throw new RpcError("versionMismatch", message);
    }
    const id = tui_id ?? `tui_${randomBytes(4).toString("hex")}`;
    this.#identity = { casing: casingOf(given), id };
    return {
      protocol_version: protocolVersion,
      server_version: this.#dependencies.version,
      server_pid: process.pid,
      tui_id: id,
      capabilities: methodNames(this.#dependencies),
      commands: [],
    };
  }

  #cased(value: object): object {
    return Object(inCasing(value, this.#identity?.casing ?? "snake"));
  }

  #write(message: object): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** `echo … | socat` closes its side at once and still reads the responses. */
  #endWhenIdle(): void {
    void this.#served.then(() => {
      if (this.#prompts === 0) this.#socket.end();
    }); // `#served` never rejects
  }

  #detachAll(): void {
    this.#leaving = "gone";
    for (const session of this.#viewers.keys()) this.leave(session);
  }
}

/** The peer lives until its socket closes. */
export const servePeer = (socket: Socket, dependencies: PeerDependencies): object =>
  new Peer(socket, dependencies);

// One peer of the local socket. Its calls are carried out one after another, as in zeroclaw, but for `session/prompt`,
// which takes as long as a turn does; while one is carried out nothing more is read, which bounds what can wait.
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
import { type Caller, callMethod, methodNames, rpcError, type Surroundings, startPrompt } from "./methods.ts";
import type { LocalUpdate } from "./updates.ts";

const protocolVersion = 1;

/** zeroclaw's own: a prompt with attachments must fit. */
const maxLineBytes = 8 * 1024 * 1024;

/** A peer with this much unsent does not read, and is not listened to until it does. */
const maxUnsentBytes = 4 * 1024 * 1024;

/** Each costs a place in a session's audience; zeroclaw has the same number. */
const maxSessions = 64;

/** Turns that one peer may have running or waiting, over all its sessions. */
const maxPrompts = 256;

const Initialize = z.object({
  protocol_version: z._default(z.int(), protocolVersion),
  tui_id: z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/))),
});

class Peer implements Caller, PeerOutput {
  readonly #socket: Socket;
  readonly #around: Surroundings;
  readonly #splitter = new LineSplitter({ maxLineBytes });
  readonly #viewers = new Map<string, Promise<LocalViewer>>();
  #identity: { casing: Casing; id: string } | null = null;
  #prompts = 0;
  /** Everything read so far has been carried out or (prompts) started. */
  #served: Promise<void> = Promise.resolve();
  #leaving: "no" | "hasEnded" | "gone" = "no";

  constructor(socket: Socket, around: Surroundings) {
    this.#socket = socket;
    this.#around = around;
    socket.on("error", () => {}); // a reset: `close` follows and says all we need
    socket.on("data", (chunk: Buffer) => this.#take(() => this.#splitter.pushRuns(chunk)));
    socket.on("end", () => {
      this.#leaving = "hasEnded";
      this.#take(() => [this.#splitter.end() ?? new Uint8Array(0)]);
    });
    socket.on("close", () => this.#gone());
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
        `One peer may have ${maxSessions} sessions open. Close one first.`,
      );
    const viewer = this.#attach(session);
    this.#viewers.set(session, viewer);
    viewer.catch(() => this.#viewers.delete(session));
    return viewer;
  }

  leave(session: string): void {
    const viewer = this.#viewers.get(session);
    this.#viewers.delete(session);
    viewer?.then((attached) => attached.detach()).catch(() => {}); // never attached: nothing to leave
  }

  update(update: LocalUpdate): void {
    this.#write(notification("session/update", this.#cased(update)));
  }

  drained(): Promise<void> {
    if (this.#socket.writableLength === 0 || !this.#socket.writable) return Promise.resolve();
    // An empty write is called back when everything before it has gone, or never will.
    return new Promise((resolve) => this.#socket.write("", () => resolve()));
  }

  buffered(): number {
    return this.#socket.writableLength;
  }

  closed(session: string, code: ErrorCode): void {
    this.#viewers.delete(session);
    if (code === "session_deleted") return;
    if (code === "too_slow") this.#socket.destroy();
    else setImmediate(() => this.#socket.destroySoon()); // the answers to its prompts go first
  }

  async #attach(id: string): Promise<LocalViewer> {
    const session = await this.#around.hub.open(id);
    const viewer = new LocalViewer(session, this);
    await viewer.attach();
    if (this.#leaving === "gone") viewer.detach();
    return viewer;
  }

  #take(split: () => Uint8Array[]): void {
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
        if (this.#leaving === "hasEnded") this.#endWhenAnswered();
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
    else await this.#answer(call, this.#carryOut(call.method, call.params ?? {}));
  }

  async #prompt(call: RpcCall): Promise<void> {
    if (this.#prompts >= maxPrompts) {
      const words = `${maxPrompts} prompts of this peer run or wait. Wait for one to end.`;
      return this.#fail(call.id, new RpcError("busy", words));
    }
    try {
      const { over } = await startPrompt(snakeKeys(call.params ?? {}), this);
      this.#prompts++;
      // `#answer` never rejects.
      void this.#answer(
        call,
        over.then(() => ({})),
      ).then(() => {
        this.#prompts--;
        if (this.#leaving === "hasEnded") this.#endWhenAnswered();
      });
    } catch (error) {
      this.#fail(call.id, rpcError(error));
    }
  }

  async #answer(call: RpcCall, outcome: Promise<object>): Promise<void> {
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

  async #carryOut(method: string, params: RpcParams): Promise<object> {
    if (method === "initialize") return this.#initialize(params);
    if (!methodNames(this.#around).includes(method))
      throw new RpcError("unknownMethod", `Unknown method: ${method}`);
    if (this.#identity === null) throw new RpcError("notInitialized", "First call must be 'initialize'");
    return callMethod(method, snakeKeys(params), this, this.#around);
  }

  #initialize(given: RpcParams): object {
    const read = Initialize.safeParse(snakeKeys(given));
    if (!read.success) throw new RpcError("badParams", `${explain(read.error)}.`);
    const { protocol_version, tui_id } = read.data;
    if (protocol_version !== protocolVersion) {
      const words = `Protocol version mismatch: server=${protocolVersion}, client=${protocol_version}`;
      throw new RpcError("versionMismatch", words);
    }
    const id = tui_id ?? `tui_${randomBytes(4).toString("hex")}`;
    this.#identity = { casing: casingOf(given), id };
    return {
      protocol_version: protocolVersion,
      server_version: this.#around.version,
      server_pid: process.pid,
      tui_id: id,
      capabilities: methodNames(this.#around),
      commands: [],
    };
  }

  #cased(value: object): object {
    return Object(inCasing(value, this.#identity?.casing ?? "snake"));
  }

  #write(message: object): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** `echo … | socat` closes its side at once and still wants the answers. */
  #endWhenAnswered(): void {
    void this.#served.then(() => {
      if (this.#prompts === 0) this.#socket.end();
    }); // `#served` never rejects
  }

  #gone(): void {
    this.#leaving = "gone";
    for (const session of this.#viewers.keys()) this.leave(session);
  }
}

/** From here on the socket's events keep it going, and its end ends it. */
export const servePeer = (socket: Socket, around: Surroundings): object => new Peer(socket, around);

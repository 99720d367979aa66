// The local socket: the sessions of this server for programs of the same person, without a token. Who may open the
// file may use it; the file system decides.
import { createServer, type Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import { listenAt, socketPath } from "./endpoint.ts";
import { RpcError, rpcFailure } from "./json-rpc.ts";
import type { Surroundings } from "./methods.ts";
import { servePeer } from "./peer.ts";

/** Each costs a file and its buffers; a person's programs are a handful. */
const maxPeers = 256;

/** For the last words; who does not read them is left. */
const goodbyeMs = 500;

export interface LocalSocketOptions extends Omit<Surroundings, "path"> {
  /** Who is at the other end, for the log; undefined: not known. Never rejects. */
  identify(socket: Socket): Promise<object | undefined>;
  log: FastifyBaseLogger;
}

export class LocalSocket {
  readonly path: string;
  readonly #options: LocalSocketOptions;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ allowHalfOpen: true }, (socket) => this.#welcome(socket));
  /** Called when the last peer has left. */
  onEmpty: () => void = () => {};

  constructor(options: LocalSocketOptions) {
    this.#options = options;
    this.path = socketPath(options.home);
  }

  get peers(): number {
    return this.#sockets.size;
  }

  async listen(): Promise<void> {
    await listenAt(this.#server, this.path);
    this.#server.on("error", (error) => this.#options.log.warn({ err: error }, "the local socket stumbled"));
  }

  /** The file goes with it. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroySoon();
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, goodbyeMs);
    await closed;
    clearTimeout(timer);
  }

  #welcome(socket: Socket): void {
    if (this.#sockets.size >= maxPeers) {
      const refusal = rpcFailure(
        null,
        new RpcError("busy", `${maxPeers} programs are connected, which is the limit.`),
      );
      socket.on("error", () => {}); // it is gone already, which is what we want
      socket.end(`${JSON.stringify(refusal)}\n`, () => socket.destroy());
      return;
    }
    const { log, identify, ...around } = this.#options;
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.onEmpty();
    });
    servePeer(socket, { ...around, path: this.path });
    // Never rejects.
    void identify(socket).then((identity) =>
      log.info(
        { peer: identity ?? "unknown", peers: this.#sockets.size },
        "a program came to the local socket",
      ),
    );
  }
}

// The local socket: the sessions of this server for programs of the same person, without a token. The permissions of the socket file
// decide who may use it.
import { createServer, type Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import { listenAt, socketPath } from "./endpoint.ts";
import { RpcError, rpcFailure } from "./json-rpc.ts";
import type { PeerDependencies } from "./methods.ts";
import { servePeer } from "./peer.ts";

/** Each peer costs a descriptor and buffers, and one person has few programs. */
const maxPeers = 256;

/** How long a closing server waits for peers to read their last lines. */
const drainMs = 500;

export interface LocalSocketOptions extends Omit<PeerDependencies, "path"> {
  /** Identifies the peer for the server's log; undefined: unknown. Never rejects. */
  identify(socket: Socket): Promise<object | undefined>;
  log: FastifyBaseLogger;
}

export class LocalSocket {
  readonly path: string;
  readonly #options: LocalSocketOptions;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
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
    this.#server.on("error", (error) => this.#options.log.warn({ err: error }, "the local socket failed"));
  }

  /** Removes the socket file too. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroySoon();
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, drainMs);
    await closed;
    clearTimeout(timer);
  }

  #accept(socket: Socket): void {
    if (this.#sockets.size >= maxPeers) {
      const refusal = rpcFailure(
        null,
        new RpcError("busy", `${maxPeers} programs are connected, which is the limit.`),
      );
      socket.on("error", () => {}); // the peer has closed the socket already
      socket.end(`${JSON.stringify(refusal)}\n`, () => socket.destroy());
      return;
    }
    const { log, identify, ...dependencies } = this.#options;
    this.#sockets.add(socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.onEmpty();
    });
    servePeer(socket, { ...dependencies, path: this.path });
    void identify(socket).then((identity) =>
      log.info(
        { peer: identity ?? "unknown", peers: this.#sockets.size },
        "a program connected to the local socket",
      ),
    );
  }
}

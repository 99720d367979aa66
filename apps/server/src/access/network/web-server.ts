// The HTTP server below Fastify: plain or TLS, with limits of time and number for peers. They are Node's own limits, which it checks
// for all connections together, at no cost per request.
import { lookup } from "node:dns/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { NetworkLimits } from "../../config/network-limits.ts";
import { type CertificateFiles, readCertificate, watchCertificate } from "./certificate.ts";
import { type Connections, connectionLimit } from "./connections.ts";

/** A connection without any read or write for this long is closed: its peer does not read the response. No route takes longer. */
const idleMs = 300_000;

interface WebServerOptions {
  limits: NetworkLimits;
  tls: CertificateFiles | undefined;
  connections: Connections;
  log: FastifyBaseLogger;
}

export class WebServer {
  readonly #options: WebServerOptions;
  readonly #servers: Server[] = [];
  #handler: RequestListener = () => {};
  #stopWatching: () => void = () => {};

  constructor(options: WebServerOptions) {
    this.#options = options;
  }

  get #scheme(): "http" | "https" {
    return this.#options.tls === undefined ? "http" : "https";
  }

  /** For Fastify's `serverFactory`. */
  create(handler: RequestListener): Server {
    this.#handler = handler;
    const server = this.#make();
    const { tls, log } = this.#options;
    server.once("listening", () => {
      if (tls === undefined) return;
      this.#stopWatching = watchCertificate(tls, log, (pair) => {
        for (const each of this.#servers) if (each instanceof TlsServer) each.setSecureContext(pair);
      });
    });
    server.once("close", () => {
      this.#stopWatching();
      for (const other of this.#servers.slice(1)) {
        other.close();
        other.closeAllConnections();
      }
    });
    return server;
  }

  /** Returns the address. "localhost" has two on most machines, and the server listens on both. */
  async listen(http: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
    const listenTextResolver = (address: string) =>
      `Server listening at ${address.replace(/^http:/, `${this.#scheme}:`)}`;
    await http.listen({ host, port, listenTextResolver });
    const bound = http.server.address();
    const actual = typeof bound === "object" && bound !== null ? bound : { address: host, port };
    if (host === "localhost") await this.#listenOnOthers(host, actual);
    const name = host === "0.0.0.0" || host === "::" || host === "" ? "127.0.0.1" : host;
    return `${this.#scheme}://${name.includes(":") ? `[${name}]` : name}:${actual.port}`;
  }

  /** Fastify listens only on the first address. An address that is taken or missing is skipped. */
  async #listenOnOthers(host: string, first: { address: string; port: number }): Promise<void> {
    const addresses = await lookup(host, { all: true }).catch(() => []);
    for (const { address } of addresses.filter((each) => each.address !== first.address)) {
      const server = this.#make();
      server.on("upgrade", (...given) => this.#servers[0]?.emit("upgrade", ...given));
      await new Promise<void>((resolve) => {
        server.once("error", () => resolve());
        server.listen({ host: address, port: first.port }, resolve);
      });
    }
  }

  #make(): Server {
    const { limits, tls, connections } = this.#options;
    const options = {
      headersTimeout: limits.header_ms,
      requestTimeout: Math.max(limits.body_ms, limits.header_ms),
      keepAliveTimeout: limits.keep_alive_ms,
      // How late a timeout may be noticed, and how often an idle server wakes up.
      connectionsCheckingInterval: Math.min(5_000, Math.ceil(limits.header_ms / 2)),
    };
    const server =
      tls === undefined
        ? createServer(options, this.#handler)
        : createTlsServer(
            { ...options, ...readCertificate(tls), handshakeTimeout: limits.header_ms },
            this.#handler,
          );
    server.setTimeout(idleMs);
    server.maxConnections = connectionLimit(limits.connections);
    server.on("connection", (socket) => connections.opened(socket));
    this.#servers.push(server);
    return server;
  }
}

// Checks that a request is addressed to this server and comes from its own page or from no page. Another host name is how a foreign
// page reaches the server by DNS rebinding; another origin is a foreign page that would control workers.
import { isIP } from "node:net";
import { PatchbayError } from "@patchbay/protocol";
import { isLoopback } from "./network/exposure.ts";

export interface Addressed {
  /** The host of the request to the trusted proxy, or to this server. */
  host: string;
  /** `http` or `https`, as the browser sees it. */
  protocol: string;
  origin: string | undefined;
}

interface Host {
  name: string;
  /** Empty: the default of the scheme. */
  port: string;
}

const loopbackNames = ["localhost", "127.0.0.1", "::1"];

export class HostCheck {
  /** `name`, or `name:port` if only that port is allowed. */
  readonly #allowed: ReadonlySet<string>;
  readonly #anyAddress: boolean;

  constructor(options: { host: string; allowedHosts: readonly string[] }) {
    this.#allowed = new Set([...loopbackNames, options.host, ...options.allowedHosts].map(normalized));
    // Beyond loopback, any IP address is allowed: DNS rebinding needs a name.
    this.#anyAddress = !isLoopback(options.host);
  }

  /** Throws 403 for a host or an origin that is not allowed. */
  check({ host, protocol, origin }: Addressed): void {
    const read = readHost(host);
    if (read === undefined || !this.#isOurs(read))
      throw new PatchbayError(
        "forbidden",
        `The host name "${read?.name ?? ""}" is not allowed. Add it to "allowed_hosts" in patchbay.config.json.`,
      );
    if (origin !== undefined) checkOrigin(origin, schemeOf(protocol), host);
  }

  #isOurs({ name, port }: Host): boolean {
    if (this.#allowed.has(name) || this.#allowed.has(`${name}:${port}`)) return true;
    return this.#anyAddress && isIP(name) !== 0;
  }
}

/** `localhost:7171` → `localhost` and `7171`, `[::1]` → `::1`; undefined: not a host. */
function readHost(host: string): Host | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/\\@?#\s]+))(?::(\d{1,5}))?$/i.exec(host);
  const name = (match?.[1] ?? match?.[2])?.toLowerCase();
  if (name === undefined) return undefined;
  if (match?.[1] !== undefined && isIP(name) !== 6) return undefined;
  const port = match?.[3] ?? "";
  return Number(port) <= 65_535 ? { name, port } : undefined;
}

/** Normalizes an entry of the config file for comparison with a request's host. */
function normalized(entry: string): string {
  if (isIP(entry) === 6) return entry.toLowerCase();
  const read = readHost(entry);
  if (read === undefined) return entry.toLowerCase();
  return read.port === "" ? read.name : `${read.name}:${read.port}`;
}

/** Some proxies forward the scheme of the WebSocket instead of the page's. */
const schemeOf = (protocol: string): string =>
  ({ ws: "http", wss: "https" })[protocol.toLowerCase()] ?? protocol.toLowerCase();

/** Scheme, name and port must equal those of the request. The origin `null` is refused. */
function checkOrigin(origin: string, scheme: string, host: string): void {
  const ours = `${scheme}://${host}`;
  const theirs = originOf(origin);
  if (theirs !== undefined && theirs === originOf(ours)) return;
  const other = scheme === "https" ? "http" : "https";
  if (theirs !== undefined && theirs === originOf(`${other}://${host}`))
    throw new PatchbayError(
      "forbidden",
      `This page was opened over ${other}, but the request arrived over ${scheme}. If you use a reverse proxy, set "trust_proxy" and make the proxy send X-Forwarded-Proto.`,
    );
  throw new PatchbayError("forbidden", "Requests from other sites are not allowed.");
}

/** Normalizes an origin: lower case, without default ports; undefined: not the origin of a page. */
function originOf(text: string): string | undefined {
  if (!/^https?:\/\/[^/\\@?#\s]+$/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).origin;
}

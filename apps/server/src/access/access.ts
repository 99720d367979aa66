// Who may talk to this server. Two questions before any other: is it addressed by a name that is ours
// (else a page elsewhere reaches us by DNS rebinding), and does it come from our own page or from no
// page at all (else any page could drive a worker on localhost). Then: does it hold the token.
import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { PatchbayError } from "@patchbay/protocol";

export interface Asked {
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
  cookie: string | undefined;
}

const loopback = new Set(["localhost", "127.0.0.1", "::1"]);

export class Access {
  readonly #token: string;
  readonly #allowed: ReadonlySet<string>;
  readonly #anyAddress: boolean;

  constructor(options: { token: string; host: string; allowedHosts: readonly string[] }) {
    this.#token = options.token;
    this.#allowed = new Set(
      [...loopback, options.host, ...options.allowedHosts].map((name) => name.toLowerCase()),
    );
    // Bound to more than loopback, any address of this machine may be used: rebinding needs a name.
    this.#anyAddress = !loopback.has(options.host);
  }

  /** What the cookie holds: not the token, so that a stolen cookie jar is no login link. */
  get cookieValue(): string {
    return createHash("sha256").update(`patchbay cookie ${this.#token}`).digest("base64url");
  }

  isToken(given: string): boolean {
    return same(given, this.#token);
  }

  /** Throws 403 for a host or origin that is not ours. */
  checkPlace({ host, origin }: Asked): void {
    const name = hostName(host);
    if (name === undefined || !(this.#allowed.has(name) || (this.#anyAddress && isIP(name) !== 0))) {
      throw new PatchbayError(
        "forbidden",
        `This server does not answer to the name "${name ?? ""}". Add it to "allowed_hosts" in patchbay.config.json.`,
      );
    }
    if (origin === undefined) return;
    if (!originMatches(origin, host ?? "")) {
      throw new PatchbayError("forbidden", "Pages of other sites may not talk to Patchbay.");
    }
  }

  /** Throws 401 without the token. */
  checkToken({ authorization, cookie }: Asked): void {
    const bearer = /^Bearer (.+)$/i.exec(authorization ?? "")?.[1];
    if (bearer !== undefined && this.isToken(bearer.trim())) return;
    if (cookie !== undefined && same(cookie, this.cookieValue)) return;
    throw new PatchbayError("not_logged_in");
  }
}

function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** `localhost:7171` → `localhost`, `[::1]:7171` → `::1`. */
function hostName(host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d+)?$/i.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

/** The page's origin must be the very host (and port) it talks to; `null` is nobody's. */
function originMatches(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === host.toLowerCase();
  } catch {
    return false;
  }
}

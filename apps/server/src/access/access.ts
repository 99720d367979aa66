// Authenticates the sender of a request: a program with the server's token, or a browser that is logged in. Other parts of the server
// use only the `Principal` of a request.
import { type AnsweredBy, PatchbayError } from "@patchbay/protocol";
import { FailedLogins } from "./failures.ts";
import { LoginCodes } from "./login-codes.ts";
import type { CheckedLogin, Logins } from "./logins.ts";
import { digest, isSecret } from "./secrets.ts";

export type Principal = { kind: "token" } | { kind: "login"; login: CheckedLogin };

export interface Credentials {
  bearer: string | undefined;
  cookie: string | undefined;
  /** The secret that the page keeps in the storage of its origin. */
  pageSecret: string | undefined;
  address: string;
}

/** How the viewer key of a sender over HTTP begins. */
export const httpSender = "http:";

interface AccessOptions {
  token: string;
  logins: Logins;
  failuresPerMinute: number;
  /** Called once when an address is throttled. */
  throttled(address: string): void;
}

export class Access {
  readonly logins: Logins;
  readonly codes = new LoginCodes();
  readonly #token: Buffer;
  readonly #failures: FailedLogins;

  constructor({ token, logins, failuresPerMinute, throttled }: AccessOptions) {
    this.logins = logins;
    this.#token = digest(token);
    this.#failures = new FailedLogins(failuresPerMinute, throttled);
  }

  /** Throws 401 for credentials that are missing or wrong, 429 for too many wrong ones. */
  authenticate(credentials: Credentials): Principal {
    const { bearer, address } = credentials;
    const isRight = bearer !== undefined && isSecret(bearer, this.#token);
    if (isRight) {
      this.#failures.checkRight(address);
      return { kind: "token" };
    }
    // A reverse proxy may add its own bearer to the request of a browser that is logged in.
    const login = this.loginOf(credentials);
    if (login !== undefined) return { kind: "login", login };
    if (bearer !== undefined) this.#failures.failed(address);
    throw new PatchbayError(
      bearer === undefined && credentials.cookie !== undefined ? "login_ended" : "not_logged_in",
    );
  }

  /** Who a request is from, for those who read what was done. */
  personOf(principal: Principal | null): AnsweredBy {
    if (principal?.kind !== "login") return { label: "a program with the token" };
    const { id } = principal.login;
    return { login: id, label: this.logins.find(id)?.label ?? "a browser" };
  }

  /**
   * Whose commands these are when they come over HTTP: the namespace of idempotency keys. Viewers of the socket cannot have such a
   * key. When tokens get owners and scopes, this is where a call is attributed to one of them, and the guard is where it is refused.
   */
  senderOf(principal: Principal | null): string {
    return `${httpSender}${principal?.kind === "login" ? principal.login.id : "token"}`;
  }

  /** Returns the login of a browser that sent both secrets; undefined: one is missing or wrong. */
  loginOf({ cookie, pageSecret, address }: Credentials): CheckedLogin | undefined {
    if (cookie === undefined || pageSecret === undefined) return undefined;
    const login = this.logins.check(cookie, pageSecret);
    if (login !== undefined) this.logins.used(login, address);
    return login;
  }

  /** Throws unless the code or the token is right. A code can be used once. */
  checkLogin(given: { code: string } | { token: string }, address: string): void {
    this.#failures.checkRight(address); // a throttled address must not use up a code
    if ("code" in given ? this.codes.consume(given.code) : isSecret(given.token, this.#token)) return;
    this.#failures.failed(address);
    throw new PatchbayError(
      "not_logged_in",
      "code" in given
        ? 'This login link was already used or has expired. Run "patchbay login" to get a new one.'
        : 'Wrong token. Run "patchbay token" to print the right one.',
    );
  }
}

// Who sent a request: a program with the server's token, or a browser that is logged in. Persons will be a third; what
// needs to know who it was looks at the `Principal` of a request and at nothing else.
import { PatchbayError } from "@patchbay/protocol";
import { FailedLogins } from "./failures.ts";
import { LoginCodes } from "./login-codes.ts";
import type { CheckedLogin, Logins } from "./logins.ts";
import { digest, isSecret } from "./secrets.ts";

export type Principal = { kind: "token" } | { kind: "login"; login: CheckedLogin };

/** What a request brought along to prove who sent it. */
export interface Credentials {
  bearer: string | undefined;
  cookie: string | undefined;
  /** What the page keeps for its own origin. */
  pageSecret: string | undefined;
  address: string;
}

interface AccessOptions {
  token: string;
  logins: Logins;
  failuresPerMinute: number;
  /** Called once when an address begins to be refused. */
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
    // A reverse proxy may have put a bearer of its own on the request of a browser that is logged in.
    const login = this.loginOf(credentials);
    if (login !== undefined) return { kind: "login", login };
    if (bearer !== undefined) this.#failures.failed(address);
    throw new PatchbayError(
      bearer === undefined && credentials.cookie !== undefined ? "login_ended" : "not_logged_in",
    );
  }

  /** The login of a browser that sent both of its secrets, if they are right. */
  loginOf({ cookie, pageSecret, address }: Credentials): CheckedLogin | undefined {
    if (cookie === undefined || pageSecret === undefined) return undefined;
    const login = this.logins.check(cookie, pageSecret);
    if (login !== undefined) this.logins.used(login, address);
    return login;
  }

  /** Throws unless the code or the token is right. A code is spent by it. */
  checkLogin(given: { code: string } | { token: string }, address: string): void {
    this.#failures.checkRight(address); // before a code is spent
    if ("code" in given ? this.codes.spend(given.code) : isSecret(given.token, this.#token)) return;
    this.#failures.failed(address);
    throw new PatchbayError(
      "not_logged_in",
      "code" in given
        ? 'This login link was used already or has expired. Run "patchbay login" for a new one.'
        : 'That token is wrong. Run "patchbay token" to see the right one.',
    );
  }
}

// Authenticates the sender of a request: a program with the server's token, or a browser that is logged in. Other parts of the server
// use only the `Principal` of a request.
import { type Author, type Login, PatchbayError } from "@patchbay/protocol";
import { FailedLogins } from "./failures.ts";
import { LoginCodes } from "./login-codes.ts";
import type { CheckedLogin, Logins } from "./logins.ts";
import type { People, Person } from "./people.ts";
import type { CheckedToken, PersonalTokens } from "./personal-tokens.ts";
import type { Actor } from "./rights.ts";
import { digest, isSecret } from "./secrets.ts";

/** How the sender of a request logged in. */
export type Principal =
  | { kind: "token" }
  | { kind: "login"; login: CheckedLogin }
  | { kind: "personal"; token: CheckedToken };

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
  people: People;
  tokens: PersonalTokens;
  failuresPerMinute: number;
  /** Called once when an address is throttled. */
  throttled(address: string): void;
}

export class Access {
  readonly logins: Logins;
  readonly people: People;
  readonly tokens: PersonalTokens;
  readonly codes = new LoginCodes();
  readonly #token: Buffer;
  readonly failures: FailedLogins;

  constructor({ token, logins, people, tokens, failuresPerMinute, throttled }: AccessOptions) {
    this.logins = logins;
    this.people = people;
    this.tokens = tokens;
    this.#token = digest(token);
    this.failures = new FailedLogins(failuresPerMinute, throttled);
  }

  /** Throws 401 for credentials that are missing or wrong, 429 for too many wrong ones. */
  authenticate(credentials: Credentials): Principal {
    const { bearer, address } = credentials;
    const isRight = bearer !== undefined && isSecret(bearer, this.#token);
    if (isRight) {
      this.failures.checkRight(address);
      return { kind: "token" };
    }
    const personal = bearer === undefined ? undefined : this.tokens.check(bearer);
    if (personal !== undefined) {
      this.failures.checkRight(address);
      return { kind: "personal", token: personal };
    }
    // A reverse proxy may add its own bearer to the request of a browser that is logged in.
    const login = this.loginOf(credentials);
    if (login !== undefined) return { kind: "login", login };
    if (bearer !== undefined) this.failures.failed(address);
    throw new PatchbayError(
      bearer === undefined && credentials.cookie !== undefined ? "login_ended" : "not_logged_in",
    );
  }

  /** Who a request is from. Throws when the person may not use this server any more. */
  actorOf(principal: Principal): Actor {
    const author = this.#authorOf(principal);
    if (!this.people.isTeam) return { person: null, scopes: null, author };
    const person = this.#personOf(principal);
    if (person === undefined || person.state === "disabled") throw new PatchbayError("login_ended");
    const scopes = principal.kind === "personal" ? this.tokens.scopesOf(principal.token.id) : null;
    if (scopes === undefined)
      throw new PatchbayError("login_ended", "This token was revoked, or it has expired.");
    return { person, scopes, author: { ...author, person: person.id, label: person.name } };
  }

  /** The server's token, and logins from before there were people, are the holder's. */
  #personOf(principal: Principal): Person | undefined {
    if (principal.kind === "personal") return this.people.find(principal.token.person);
    const id = principal.kind === "login" ? this.logins.personOf(principal.login.id) : null;
    if (id === undefined) return undefined;
    return id === null ? (this.people.holder ?? undefined) : this.people.find(id);
  }

  /** The devices of a person; null: of the token's holder, on a server without people. */
  loginsOf(person: Person | null, current: string | null): Login[] {
    return this.logins.list(loginKeys(person), current);
  }

  isLoginOf(login: string, person: Person | null): boolean {
    const owner = this.logins.personOf(login);
    return owner !== undefined && loginKeys(person).includes(owner);
  }

  endLogins(person: Person | null, except: string | null): Promise<number> {
    return this.logins.revokeAll({ people: loginKeys(person), except });
  }

  #authorOf(principal: Principal): Author {
    if (principal.kind !== "login") return { label: "a program with the token" };
    const { id } = principal.login;
    return { login: id, label: this.logins.find(id)?.label ?? "a browser" };
  }

  /**
   * Whose commands these are when they come over HTTP: the namespace of idempotency keys. Viewers of the socket cannot have such a
   * key.
   */
  senderOf(principal: Principal | null): string {
    switch (principal?.kind) {
      case "login":
        return `${httpSender}${principal.login.id}`;
      case "personal":
        return `${httpSender}${principal.token.id}`;
      default:
        return `${httpSender}token`;
    }
  }

  /** Returns the login of a browser that sent both secrets; undefined: one is missing or wrong. */
  loginOf({ cookie, pageSecret, address }: Credentials): CheckedLogin | undefined {
    if (cookie === undefined || pageSecret === undefined) return undefined;
    const login = this.logins.check(cookie, pageSecret);
    if (login !== undefined) this.logins.used(login, address);
    return login;
  }

  /** Whose login it is; null: the token holder's. Throws unless the code or the token is right. A code can be used once. */
  checkLogin(given: { code: string } | { token: string }, address: string): string | null {
    this.failures.checkRight(address); // a throttled address must not use up a code
    if ("code" in given) {
      const person = this.codes.consume(given.code);
      if (person !== undefined) return person ?? this.people.holder?.id ?? null;
    } else if (isSecret(given.token, this.#token)) return this.people.holder?.id ?? null;
    this.failures.failed(address);
    throw new PatchbayError(
      "not_logged_in",
      "code" in given
        ? 'This login link was already used or has expired. Run "patchbay login" to get a new one.'
        : 'Wrong token. Run "patchbay token" to print the right one.',
    );
  }
}

/** Whose logins are a person's: the holder also has those from before there were people. */
const loginKeys = (person: Person | null): (string | null)[] =>
  person === null ? [null] : person.isHolder ? [null, person.id] : [person.id];

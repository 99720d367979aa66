// Personal access tokens: what programs of a person send instead of the server's token. Each is limited to scopes, may expire, and can
// be revoked at once.
import { PatchbayError } from "@patchbay/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { TokenRecord, TokenStore } from "../store/people/token-store.ts";
import { type TokenScope, tokenScopes } from "./policy.ts";
import { digest, isSecret, makeSecret } from "./secrets.ts";

/** Begins every personal token, so that people and scanners recognise one that has leaked. */
const prefix = "pbt_";

const maxPerPerson = 100;

/** Uses are saved at most this often. */
const touchMs = 60_000;

/** A longer timer of Node fires at once. */
const maxWaitMs = 2 ** 31 - 1;

/** A token that was checked. */
export interface CheckedToken {
  id: string;
  person: string;
}

export class PersonalTokens {
  readonly #store: TokenStore;
  readonly #log: FastifyBaseLogger;
  readonly #known = new Map<string, TokenRecord>();
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(store: TokenStore, log: FastifyBaseLogger) {
    this.#store = store;
    this.#log = log;
  }

  static async open(store: TokenStore, log: FastifyBaseLogger): Promise<PersonalTokens> {
    const tokens = new PersonalTokens(store, log);
    for (const record of await store.list()) tokens.#known.set(record.id, record);
    return tokens;
  }

  /** Calls `listener` when a token has ended. Open sockets must be closed then. */
  onEnd(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#watch();
    return () => void this.#listeners.delete(listener);
  }

  /** The text is the token, and is never shown again. */
  async create(
    person: string,
    {
      name,
      scopes: wanted,
      expiresAt,
    }: { name: string; scopes: readonly TokenScope[]; expiresAt: number | null },
  ): Promise<{ record: TokenRecord; text: string }> {
    if (this.list(person).length >= maxPerPerson)
      throw new PatchbayError("too_many", `You have ${maxPerPerson} tokens. Delete one first.`);
    const id = makeSecret(9).replaceAll(/[_-]/g, "x");
    const text = `${prefix}${id}_${makeSecret()}`;
    const record: TokenRecord = {
      id,
      person,
      hash: digest(text).toString("base64url"),
      name,
      scopes: [...new Set(wanted)],
      created_at: Date.now(),
      used_at: null,
      expires_at: expiresAt,
    };
    await this.#store.save(record);
    this.#known.set(id, record);
    this.#watch();
    return { record, text };
  }

  /** Undefined: there is no such token, or it has expired. */
  check(text: string): CheckedToken | undefined {
    if (!text.startsWith(prefix)) return undefined;
    const record = this.#known.get(text.slice(prefix.length, text.indexOf("_", prefix.length)));
    if (record === undefined || !isSecret(text, Buffer.from(record.hash, "base64url"))) return undefined;
    if (this.#hasExpired(record)) return undefined;
    this.#touch(record);
    return { id: record.id, person: record.person };
  }

  /** What the token may be used for; undefined: it has ended. */
  scopesOf(id: string): ReadonlySet<TokenScope> | undefined {
    const record = this.#known.get(id);
    if (record === undefined || this.#hasExpired(record)) return undefined;
    return new Set(tokenScopes.filter((scope) => record.scopes.includes(scope)));
  }

  /** Newest first. */
  list(person: string): TokenRecord[] {
    return [...this.#known.values()].filter((record) => record.person === person).toReversed();
  }

  find(id: string): TokenRecord | undefined {
    return this.#known.get(id);
  }

  async revoke(ids: readonly string[]): Promise<void> {
    const known = ids.filter((id) => this.#known.delete(id));
    if (known.length === 0) return;
    this.#announceEnd(); // from now on refused, also if the write fails
    for (const id of known) await this.#store.remove(id);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #hasExpired({ expires_at }: TokenRecord): boolean {
    return expires_at !== null && expires_at <= Date.now();
  }

  #touch(record: TokenRecord): void {
    const now = Date.now();
    if (record.used_at !== null && now - record.used_at < touchMs) return;
    record.used_at = now;
    this.#store
      .save(record)
      .catch((err: unknown) => this.#log.warn({ err }, "the use of a token could not be saved"));
  }

  #announceEnd(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Sockets of a token that expires are closed on time. */
  #watch(): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    const ends = [...this.#known.values()].flatMap(({ expires_at }) =>
      expires_at !== null && expires_at > now ? [expires_at] : [],
    );
    if (ends.length === 0) return;
    const waitMs = Math.min(maxWaitMs, Math.max(1, Math.min(...ends) - now));
    this.#timer = setTimeout(() => {
      this.#announceEnd();
      this.#watch();
    }, waitMs).unref();
  }
}

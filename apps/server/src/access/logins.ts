// The browsers that are logged in. A login has two secrets: a cookie, which a browser sends to every port of a host, and one that the
// page keeps in the storage of its own origin. Both are required, so a program on another port cannot use the cookie that it receives.
// All logins are in memory; the store has them for the next start.
import type { Login } from "@patchbay/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { AccessLimits } from "../config/access-limits.ts";
import type { LoginRecord, LoginStore } from "../store/people/login-store.ts";
import { LoginWrites } from "./login-writes.ts";
import { digest, isSecret, makeSecret } from "./secrets.ts";

/** A use is written at most this often, because a page sends requests all the time. */
const maxTouchMs = 60_000;

/** How long the old cookie is accepted after the browser has sent the new one, for concurrent requests and crashed browsers. */
const maxGraceMs = 120_000;

/** A timer ends a login on time. After a change of the clock it may be this late. */
const maxWaitMs = 60_000;

/** A person has a few. A program that logs in every minute must not fill the table: their least recently used login is evicted. */
const maxLogins = 200;

interface Entry {
  record: LoginRecord;
  cookie: Buffer;
  previous: Buffer | null;
  page: Buffer;
  /** Called when the login ends: they close its sockets. */
  endings: Set<() => void>;
}

export interface CheckedLogin {
  id: string;
  /** Which value of the cookie the browser sent. */
  cookie: "current" | "previous";
}

/** The secrets that the browser gets. The store has only their hashes. */
interface LoginSecrets {
  cookie: string;
  secret: string;
}

export class Logins {
  readonly #writes: LoginWrites;
  readonly #limits: AccessLimits;
  readonly #log: FastifyBaseLogger;
  readonly #touchMs: number;
  readonly #graceMs: number;
  readonly #entries = new Map<string, Entry>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(store: LoginStore, limits: AccessLimits, log: FastifyBaseLogger) {
    this.#writes = new LoginWrites(store, log);
    this.#limits = limits;
    this.#log = log;
    this.#touchMs = Math.min(maxTouchMs, limits.login_idle_ms / 10);
    this.#graceMs = Math.min(maxGraceMs, limits.login_rotate_ms / 10);
  }

  static async open(store: LoginStore, limits: AccessLimits, log: FastifyBaseLogger): Promise<Logins> {
    const logins = new Logins(store, limits, log);
    const records = await store.list();
    const ended = records.filter((record) => logins.#endOf(record) <= Date.now());
    if (ended.length > 0) await store.remove(ended.map(({ id }) => id));
    for (const record of records)
      if (!ended.includes(record)) logins.#entries.set(record.id, entryOf(record));
    return logins;
  }

  /** `person`: whose it is; null: the token holder's. */
  async create(device: {
    label: string;
    address: string;
    person: string | null;
  }): Promise<LoginSecrets & { id: string }> {
    const id = makeSecret(12);
    const secrets: LoginSecrets = { cookie: `${id}.${makeSecret()}`, secret: makeSecret() };
    const now = Date.now();
    const record: LoginRecord = {
      id,
      cookie_hash: hashOf(secrets.cookie),
      previous_hash: null,
      page_hash: hashOf(secrets.secret),
      ...device,
      created_at: now,
      used_at: now,
      expires_at: now + this.#limits.login_max_ms,
      rotated_at: now,
      confirmed_at: null,
    };
    await this.#writes.save(record);
    this.#entries.set(id, entryOf(record));
    const theirs = [...this.#entries.values()].filter(({ record: { person } }) => person === device.person);
    const over = theirs
      .sort((one, other) => one.record.used_at - other.record.used_at)
      .slice(0, Math.max(0, theirs.length - maxLogins));
    await this.#end(over);
    return { ...secrets, id };
  }

  /** Undefined: one of the secrets is wrong, or the login has ended. */
  check(cookie: string, secret: string): CheckedLogin | undefined {
    const entry = this.#entries.get(cookie.slice(0, Math.max(0, cookie.indexOf("."))));
    if (entry === undefined || !isSecret(secret, entry.page)) return undefined;
    const { record } = entry;
    const now = Date.now();
    if (this.#endOf(record) <= now) {
      this.#endLater([entry]);
      return undefined;
    }
    if (isSecret(cookie, entry.cookie)) {
      if (record.confirmed_at === null) this.#change(entry, { confirmed_at: now });
      return { id: record.id, cookie: "current" };
    }
    if (entry.previous === null || !isSecret(cookie, entry.previous)) return undefined;
    // A clock that was set back must not make an old value valid again.
    const inTime = record.confirmed_at === null || Math.abs(now - record.confirmed_at) <= this.#graceMs;
    return inTime ? { id: record.id, cookie: "previous" } : undefined;
  }

  /** Records a use of the login, at most once per `#touchMs`. */
  used({ id }: CheckedLogin, address: string): void {
    const entry = this.#entries.get(id);
    const now = Date.now();
    if (entry === undefined || now - entry.record.used_at < this.#touchMs) return;
    this.#change(entry, { used_at: now, address });
  }

  /**
   * Returns a new value of the cookie when it is time to rotate. The old value stays valid until the browser has sent the new one, so
   * that a lost response does not log the browser out. Undefined also if the new value could not be saved.
   */
  async rotate({ id, cookie: sent }: CheckedLogin): Promise<string | undefined> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const { record } = entry;
    const now = Date.now();
    const age = now - record.rotated_at;
    const isLost = sent === "previous" && record.confirmed_at === null && age > this.#graceMs;
    if (!isLost && (sent === "previous" || age < this.#limits.login_rotate_ms)) return undefined;
    const value = `${id}.${makeSecret()}`;
    const changed: LoginRecord = {
      ...record,
      cookie_hash: hashOf(value),
      previous_hash: isLost ? record.previous_hash : record.cookie_hash,
      rotated_at: now,
      confirmed_at: null,
    };
    // Before the save, so that concurrent requests do not rotate again.
    Object.assign(entry, partsOf(changed));
    try {
      await this.#writes.save(changed);
      return value;
    } catch (error) {
      this.#log.error({ err: error }, "a login's cookie could not be rotated");
      // The old value stays valid, and the next rotation tries again.
      if (entry.record === changed) Object.assign(entry, partsOf({ ...record, rotated_at: now }));
      return undefined;
    }
  }

  /** The browser has logged in again: the login lasts as long as a new one. */
  async renew(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const now = Date.now();
    const renewed = { ...entry.record, used_at: now, expires_at: now + this.#limits.login_max_ms };
    entry.record = renewed;
    await this.#writes.save(renewed);
  }

  /** Those of these people, the most recently used first. */
  list(people: readonly (string | null)[], current: string | null): Login[] {
    const now = Date.now();
    return [...this.#entries.values()]
      .filter(({ record }) => people.includes(record.person) && this.#endOf(record) > now)
      .sort((one, other) => other.record.used_at - one.record.used_at)
      .map(({ record }) => this.#view(record, current));
  }

  /** The id of the person; null: it is the token holder's; undefined: the login has ended. */
  personOf(id: string): string | null | undefined {
    return this.#entries.get(id)?.record.person;
  }

  find(id: string): Login | undefined {
    const entry = this.#entries.get(id);
    return entry === undefined ? undefined : this.#view(entry.record, id);
  }

  /** False: there is no such login. Its sockets are closed before this resolves. */
  async revoke(id: string): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    await this.#end([entry]);
    return true;
  }

  /** Ends the logins of all, or of these people. Returns how many. */
  async revokeAll({
    people,
    except,
  }: {
    people?: readonly (string | null)[];
    except?: string | null;
  } = {}): Promise<number> {
    const ended = [...this.#entries.values()].filter(
      ({ record }) => (people?.includes(record.person) ?? true) && record.id !== except,
    );
    await this.#end(ended);
    return ended.length;
  }

  /** Calls `ending` when the login ends, or at once if it has ended. Returns a function that unsubscribes. */
  whenEnded(id: string, ending: () => void): () => void {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      ending();
      return () => {};
    }
    entry.endings.add(ending);
    this.#watch();
    return () => void entry.endings.delete(ending);
  }

  /** Resolves when all changes are written. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writes.close();
  }

  #view(record: LoginRecord, current: string | null): Login {
    return {
      id: record.id,
      label: record.label,
      address: record.address,
      created_at: new Date(record.created_at).toISOString(),
      last_used_at: new Date(record.used_at).toISOString(),
      expires_at: new Date(this.#endOf(record)).toISOString(),
      current: record.id === current,
    };
  }

  #endOf({ used_at, expires_at }: LoginRecord): number {
    return Math.min(expires_at, used_at + this.#limits.login_idle_ms);
  }

  #change(entry: Entry, change: Pick<Partial<LoginRecord>, "used_at" | "address" | "confirmed_at">): void {
    entry.record = { ...entry.record, ...change };
    this.#writes.saveLater(entry.record);
  }

  async #end(entries: readonly Entry[]): Promise<void> {
    for (const { record, endings } of entries) {
      this.#entries.delete(record.id);
      for (const ending of [...endings]) ending();
    }
    await this.#writes.remove(entries.map(({ record }) => record.id));
  }

  #endLater(entries: readonly Entry[]): void {
    this.#end(entries).catch(() => {}); // logged and retried by LoginWrites
  }

  /** Ends logins with open sockets on time. The others are checked at their next request. */
  #watch(): void {
    clearTimeout(this.#timer);
    const ends = [...this.#entries.values()]
      .filter(({ endings }) => endings.size > 0)
      .map(({ record }) => this.#endOf(record));
    if (ends.length === 0) return;
    const waitMs = Math.min(maxWaitMs, Math.max(1, Math.min(...ends) - Date.now()));
    this.#timer = setTimeout(() => {
      const now = Date.now();
      this.#endLater([...this.#entries.values()].filter(({ record }) => this.#endOf(record) <= now));
      this.#watch();
    }, waitMs).unref();
  }
}

const hashOf = (secret: string): string => digest(secret).toString("base64url");
const bytesOf = (hash: string): Buffer => Buffer.from(hash, "base64url");

const partsOf = (record: LoginRecord): Omit<Entry, "endings"> => ({
  record,
  cookie: bytesOf(record.cookie_hash),
  previous: record.previous_hash === null ? null : bytesOf(record.previous_hash),
  page: bytesOf(record.page_hash),
});

const entryOf = (record: LoginRecord): Entry => ({ ...partsOf(record), endings: new Set() });

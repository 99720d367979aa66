// Browsers that are logged in. A login has two secrets: a cookie, which a browser sends to every port of a host, and one
// that the page keeps in the storage of its own origin. Both are needed, so a program on another port that receives
// the cookie can do nothing with it. All logins are in memory; the store has them for the next start.
import type { Login } from "@patchbay/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { AccessLimits } from "../config/access-limits.ts";
import type { LoginRecord, LoginStore } from "../store/login-store.ts";
import { LoginWrites } from "./login-writes.ts";
import { digest, isSecret, makeSecret } from "./secrets.ts";

/** A use is written this often at most: a page asks all the time. */
const maxTouchMs = 60_000;

/** The old cookie is accepted for this long after the new one has arrived: calls side by side, a browser that crashed. */
const maxGraceMs = 120_000;

/** How late an end is noticed after the clock was set; otherwise a timer ends a login on time. */
const maxWaitMs = 60_000;

/** A person has a handful. A program that logs in every minute must not fill the table; the least recently used goes. */
const maxLogins = 200;

interface Entry {
  record: LoginRecord;
  cookie: Buffer;
  previous: Buffer | null;
  page: Buffer;
  /** What is to be ended with the login: its open sockets. */
  endings: Set<() => void>;
}

/** A login that was checked. */
export interface CheckedLogin {
  id: string;
  /** Which of its cookie's values was sent. */
  cookie: "current" | "previous";
}

/** What the browser is given; stored nowhere as it is. */
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

  async create(device: { label: string; address: string }): Promise<LoginSecrets & { id: string }> {
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
    const over = [...this.#entries.values()]
      .sort((one, other) => one.record.used_at - other.record.used_at)
      .slice(0, Math.max(0, this.#entries.size - maxLogins));
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
    // A clock that was set back must not bring an old value back.
    const inTime = record.confirmed_at === null || Math.abs(now - record.confirmed_at) <= this.#graceMs;
    return inTime ? { id: record.id, cookie: "previous" } : undefined;
  }

  /** Notes that the login was used; not every time. */
  used({ id }: CheckedLogin, address: string): void {
    const entry = this.#entries.get(id);
    const now = Date.now();
    if (entry === undefined || now - entry.record.used_at < this.#touchMs) return;
    this.#change(entry, { used_at: now, address });
  }

  /**
   * The cookie's new value, when it is time for one. The old value stays good until the browser has sent the new one:
   * a response that is lost does not log the browser out. Undefined also where the new value could not be saved.
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
    // At once, so that calls side by side see it and do not rotate again.
    Object.assign(entry, partsOf(changed));
    try {
      await this.#writes.save(changed);
      return value;
    } catch (error) {
      this.#log.error({ err: error }, "a login's cookie could not be rotated");
      // The old value stays, and is tried to be rotated when it is time again.
      if (entry.record === changed) Object.assign(entry, partsOf({ ...record, rotated_at: now }));
      return undefined;
    }
  }

  /** It was proved once more who uses it: it lasts as long as a new one. */
  async renew(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const now = Date.now();
    const renewed = { ...entry.record, used_at: now, expires_at: now + this.#limits.login_max_ms };
    entry.record = renewed;
    await this.#writes.save(renewed);
  }

  /** The most recently used first. */
  list(current: string | null): Login[] {
    const now = Date.now();
    return [...this.#entries.values()]
      .filter(({ record }) => this.#endOf(record) > now)
      .sort((one, other) => other.record.used_at - one.record.used_at)
      .map(({ record }) => this.#view(record, current));
  }

  find(id: string): Login | undefined {
    const entry = this.#entries.get(id);
    return entry === undefined ? undefined : this.#view(entry.record, id);
  }

  /** False: there is none. Its sockets are closed before this resolves. */
  async revoke(id: string): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    await this.#end([entry]);
    return true;
  }

  /** How many there were. */
  async revokeAll(except: string | null = null): Promise<number> {
    const ended = [...this.#entries.values()].filter(({ record }) => record.id !== except);
    await this.#end(ended);
    return ended.length;
  }

  /** Calls `ending` when the login ends, at once if it has. Returns what takes that back. */
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

  /** Resolves when everything is written. */
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
    this.#end(entries).catch(() => {}); // logged, and tried again
  }

  /** Ends logins on time while they have open sockets; the others are found by their next call. */
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

// The share links of this server. A link is an id and a secret of 256 bits; only the secret's hash is kept. It ends when it is revoked or
// expires, and with its session, its session's owner, or their account.
import { createHash } from "node:crypto";
import {
  type Hideable,
  type NewShare,
  PatchbayError,
  type SessionInfo,
  type SharedSession,
  type ShareInfo,
} from "@patchbay/protocol";
import type { FastifyBaseLogger } from "fastify";
import type { People } from "../access/people.ts";
import { digest, isSecret, makeSecret } from "../access/secrets.ts";
import type { Hub } from "../session/hub/hub.ts";
import type { ShareRecord, ShareStore } from "../store/people/share-store.ts";
import { frozenAt, sharedSession } from "./shared-session.ts";

const maxPerSession = 50;
const dayMs = 86_400_000;
/** That long a visitor still reads why a link ended. */
const keptEndedMs = 30 * dayMs;
/** A running turn changes the transcript many times a second. */
const freshMs = 1_000;
/** A large transcript takes 200 ms: visitors of one take at most a twentieth of the server's time. */
const freshShare = 20;
/** Each has up to some megabytes. */
const maxCached = 20;
/** What is frozen is kept in the database as one text. */
const maxDocumentChars = 32 * 1024 * 1024;

export interface SharedBody {
  etag: string;
  body: string;
}

interface Cached extends SharedBody {
  /** What it was made of. */
  version: string;
  /** Until then it is shown as it is, even if there is more. Monotonic. */
  freshUntil: number;
}

interface Parts {
  store: ShareStore;
  hub: Hub;
  people: People;
  log: FastifyBaseLogger;
}

export class Shares {
  readonly #parts: Parts;
  readonly #known = new Map<string, ShareRecord>();
  readonly #cache = new Map<string, Cached>();

  private constructor(parts: Parts) {
    this.#parts = parts;
    parts.people.onChange(() => this.#cache.clear()); // names may be hidden
  }

  static async open(parts: Parts): Promise<Shares> {
    const shares = new Shares(parts);
    for (const record of await parts.store.list()) shares.#known.set(record.id, record);
    return shares;
  }

  /** The secret is in this answer only. */
  async create(session: string, wanted: NewShare): Promise<{ share: ShareInfo; secret: string }> {
    const { store, hub } = this.#parts;
    if (this.list(session).length >= maxPerSession)
      throw new PatchbayError(
        "too_many",
        `This session has ${maxPerSession} links. Revoke one that is not needed any more first.`,
      );
    const secret = makeSecret();
    const { mode, expires_days } = wanted;
    const hidden = [...new Set(wanted.hidden)];
    let frozen: { seq: number; document: string } | null = null;
    if (mode === "frozen") {
      const { seq, shared } = await this.#render(session, wanted);
      frozen = { seq, document: JSON.stringify(shared) };
      if (frozen.document.length > maxDocumentChars)
        throw new PatchbayError("too_large", "This transcript is too large to be frozen. Share it live.");
    }
    const now = Date.now();
    const record: ShareRecord = {
      id: makeSecret(9).replaceAll(/[_-]/g, "x"),
      hash: digest(secret).toString("base64url"),
      ...{ session, mode, hidden },
      up_to_seq: frozen?.seq ?? null,
      created_by: hub.record(session).owner ?? null,
      created_at: now,
      expires_at: expires_days === null ? null : now + expires_days * dayMs,
      ...{ views: 0, last_viewed_at: null, revoked_at: null },
    };
    await store.add(record, frozen?.document ?? null);
    this.#known.set(record.id, record);
    return { share: shown(record), secret };
  }

  /** Newest first; revoked ones are not in it. */
  list(session: string): ShareInfo[] {
    return [...this.#known.values()]
      .filter((record) => record.session === session && record.revoked_at === null)
      .map(shown)
      .toReversed();
  }

  async revoke(session: string, id: string): Promise<void> {
    const record = this.#find(session, id);
    record.revoked_at = Date.now(); // from now on refused, also if the write fails
    this.#cache.delete(id);
    await this.#parts.store.update(record);
  }

  /** What a link with these terms would show. */
  async preview(session: string, terms: NewShare): Promise<SharedSession> {
    return (await this.#render(session, terms)).shared;
  }

  /** What the link shows; for its owner, and not counted. */
  previewOf(session: string, id: string): Promise<SharedBody> {
    return this.#bodyOf(this.#find(session, id));
  }

  /** Undefined: there is no such link. Throws when it has ended. */
  async read(id: string, secret: string): Promise<SharedBody | undefined> {
    const record = this.#known.get(id);
    // The same work for a link that does not exist.
    const isRight = isSecret(secret, record === undefined ? noHash : Buffer.from(record.hash, "base64url"));
    if (record === undefined || !isRight) return undefined;
    this.#checkAlive(record);
    return this.#bodyOf(record);
  }

  /** The link was opened. */
  count(id: string): void {
    const record = this.#known.get(id);
    if (record === undefined) return;
    record.views++;
    record.last_viewed_at = Date.now();
    this.#parts.store
      .update(record)
      .catch((err: unknown) => this.#parts.log.warn({ err }, "a view of a share link could not be saved"));
  }

  /** Removes links that ended long ago, and those of sessions that are gone. */
  removeOld(): void {
    const before = Date.now() - keptEndedMs;
    for (const record of this.#known.values()) {
      const end = Math.min(record.revoked_at ?? Infinity, record.expires_at ?? Infinity);
      const isGone = this.#parts.hub.find(record.session) === null && record.created_at < before;
      if (end > before && !isGone) continue;
      this.#known.delete(record.id);
      this.#parts.store
        .remove(record.id)
        .catch((err: unknown) => this.#parts.log.warn({ err }, "an old share link could not be removed"));
    }
  }

  #find(session: string, id: string): ShareRecord {
    const record = this.#known.get(id);
    if (record === undefined || record.session !== session || record.revoked_at !== null)
      throw new PatchbayError("not_found", "There is no such link. It may have been revoked already.");
    return record;
  }

  #checkAlive({ session, revoked_at, expires_at, created_by }: ShareRecord): void {
    const { hub, people } = this.#parts;
    if (revoked_at !== null) throw new PatchbayError("link_ended", "This link was revoked.");
    if (expires_at !== null && expires_at <= Date.now())
      throw new PatchbayError("link_ended", "This link has expired.");
    const view = hub.find(session);
    if (view === null || view.deletes_at !== undefined)
      throw new PatchbayError("link_ended", "The session of this link was deleted.");
    const owner = hub.record(session).owner ?? null;
    const person = people.find(owner ?? people.holder?.id ?? "");
    // Another owner decides anew, and a disabled person shows nothing.
    if (owner !== created_by || (people.isTeam && person?.state !== "active"))
      throw new PatchbayError("link_ended");
  }

  async #bodyOf(record: ShareRecord): Promise<SharedBody> {
    const { store } = this.#parts;
    const { id, session, mode, hidden } = record;
    const cached = this.#cache.get(id);
    if (mode === "frozen") {
      if (cached !== undefined) return cached;
      const document = await store.document(id);
      if (document === undefined) throw new PatchbayError("link_ended");
      return this.#keep(id, document, { version: "", tookMs: 0 });
    }
    const version = this.#versionOf(session);
    if (cached !== undefined && (cached.version === version || performance.now() < cached.freshUntil))
      return cached;
    const begun = performance.now();
    const { shared } = await this.#render(session, { mode, hidden });
    return this.#keep(id, JSON.stringify(shared), { version, tookMs: performance.now() - begun });
  }

  /** Changes with everything that a visitor is sent. */
  #versionOf(id: string): string {
    const view = this.#view(id);
    const { seq, name, worker, provider, model, cwd } = view;
    return JSON.stringify([seq, name, worker, provider, model, cwd]);
  }

  #view(id: string): SessionInfo {
    const view = this.#parts.hub.find(id);
    if (view === null) throw new PatchbayError("no_such_session");
    return view;
  }

  #keep(id: string, body: string, { version, tookMs }: { version: string; tookMs: number }): SharedBody {
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    const freshUntil = performance.now() + Math.max(freshMs, tookMs * freshShare);
    const cached = { etag, body, version, freshUntil };
    // A link that was revoked meanwhile is not kept.
    if (this.#known.get(id)?.revoked_at !== null) return cached;
    this.#cache.delete(id);
    this.#cache.set(id, cached);
    if (this.#cache.size > maxCached) this.#cache.delete(this.#cache.keys().next().value ?? "");
    return cached;
  }

  async #render(
    id: string,
    {
      mode,
      hidden,
      messages,
    }: { mode: NewShare["mode"]; hidden: readonly Hideable[]; messages?: number | undefined },
  ): Promise<{ seq: number; shared: SharedSession }> {
    const { hub, people } = this.#parts;
    const session = await hub.open(id);
    const { seq, transcript } = await session.shownSnapshot();
    const seen = mode === "live" ? transcript : frozenAt(transcript, messages ?? transcript.messages.length);
    const names = people.list().flatMap(({ name, handle }) => [name, handle]);
    return { seq, shared: sharedSession(session.view(), seen, { mode, hidden, names }) };
  }
}

const noHash = digest("");

const iso = (time: number): string => new Date(time).toISOString();

const shown = (record: ShareRecord): ShareInfo => {
  const { id, session, mode, hidden, up_to_seq, created_at, expires_at, views, last_viewed_at } = record;
  return {
    ...{ id, session, mode, hidden, up_to_seq, views },
    created_at: iso(created_at),
    expires_at: expires_at === null ? null : iso(expires_at),
    last_viewed_at: last_viewed_at === null ? null : iso(last_viewed_at),
  };
};

// All sessions of this server: creates, finds, deletes and ends them.
import { randomBytes } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, resolve, sep } from "node:path";
import { type CreateSession, PatchbayError } from "@patchbay/protocol";
import type { Config } from "../config.ts";
import { expandHome } from "../config.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import type { Profiles } from "../worker/profiles.ts";
import { Session, type SessionLog } from "./session.ts";

type HubConfig = Pick<Config, "cwd" | "directories" | "defaultWorker" | "limits">;

export class Hub {
  readonly #store: Store;
  readonly #profiles: Profiles;
  readonly #config: HubConfig;
  readonly #log: SessionLog;
  readonly #sessions = new Map<string, Session>();
  #closing = false;

  constructor(store: Store, profiles: Profiles, config: HubConfig, log: SessionLog) {
    this.#store = store;
    this.#profiles = profiles;
    this.#config = config;
    this.#log = log;
  }

  async create(wish: CreateSession): Promise<Session> {
    if (this.#closing) throw new PatchbayError("going_away");
    const profile = this.#profiles.get(wish.worker ?? this.#config.defaultWorker);
    const problem = this.#profiles.problemWith(profile);
    if (problem !== undefined) throw new PatchbayError("worker_unavailable", problem);
    const cwd = this.#directory(wish.cwd);
    const time = new Date().toISOString();
    const record: SessionRecord = {
      id: randomBytes(8).toString("hex"),
      name: wish.name?.trim() || basename(cwd) || cwd,
      worker: profile.name,
      dialect: profile.dialect.name,
      cwd,
      ...splitModel(wish.model),
      created_at: time,
      updated_at: time,
    };
    await this.#store.createSession(record);
    const session = new Session(record, {
      store: this.#store,
      limits: this.#config.limits,
      profile,
      environment: this.#profiles.environmentOf(profile),
      log: this.#log,
    });
    this.#sessions.set(record.id, session);
    // Started before the first prompt, so that it is ready by then. A failure shows in the session.
    session.worker.ensure().catch((error: unknown) => {
      this.#log.warn(
        { session: record.id, reason: error instanceof Error ? error.message : error },
        "worker failed",
      );
    });
    return session;
  }

  get(id: string): Session {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new PatchbayError("no_such_session");
    return session;
  }

  /** Newest first. */
  list(): Session[] {
    return [...this.#sessions.values()].toReversed();
  }

  async delete(id: string): Promise<void> {
    const session = this.get(id);
    this.#sessions.delete(id);
    await session.close("session_deleted");
    await this.#store.deleteSession(id);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(this.list().map((session) => session.close("going_away")));
  }

  /** For a second signal: no ladder, no farewell. */
  killWorkers(): void {
    for (const session of this.#sessions.values()) session.worker.kill();
  }

  /** The directory itself, links resolved, if it exists and lies in an allowed root. */
  #directory(wish: string | undefined): string {
    const wanted = wish === undefined || wish.trim() === "" ? this.#config.cwd : expandHome(wish.trim());
    const path = isAbsolute(wanted) ? wanted : resolve(this.#config.cwd, wanted);
    const real = realDirectory(path);
    if (real === undefined) throw new PatchbayError("bad_directory", `There is no directory ${path}.`);
    const roots = this.#config.directories.flatMap((root) => realDirectory(root) ?? []);
    if (roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)))
      return real;
    const allowed = this.#config.directories.join(", ");
    throw new PatchbayError(
      "bad_directory",
      `${path} is outside the directories sessions may use (${allowed}). Add it to "directories" in patchbay.config.json.`,
    );
  }
}

function realDirectory(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined; // absent or unreadable: not a directory a session could use
  }
}

/** `provider/model`; only the first slash separates, because model ids may contain more. */
function splitModel(model: string | undefined): { provider: string; model: string } {
  const wish = model?.trim() ?? "";
  const slash = wish.indexOf("/");
  return slash === -1
    ? { provider: "", model: wish }
    : { provider: wish.slice(0, slash), model: wish.slice(slash + 1) };
}

// Standing permissions of all sessions: they answer an agent's approval questions in a person's place. The one place that
// decides, for every kind of agent. The terms come from the question that was answered, never from the client or the agent alone.
import { randomUUID } from "node:crypto";
import {
  type Author,
  covers,
  type Permission,
  type Remember,
  readApproval,
  termsOf,
  type UiRequestEvent,
} from "@patchbay/protocol";
import type { PermissionStore } from "../../store/permission-store.ts";

/** Whose questions: the session, its directory and its agent. */
export interface Asker {
  id: string;
  cwd: string;
  worker: string;
  /** The person whose session it is; absent: the token's holder. */
  owner?: string;
}

/** A permission that covers a question, and the answer that it gives. */
export interface StandingAnswer {
  permission: Permission;
  value: string;
}

interface PermissionsOptions {
  store: PermissionStore;
  log: { warn(details: object, message: string): void };
}

/** Each is compared with every question. A person who reaches it has allowed far too much. */
const maxPermissions = 1_000;

export class Permissions {
  readonly #options: PermissionsOptions;
  readonly #known = new Map<string, Permission>();
  readonly #listeners = new Set<() => void>();

  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    for (const permission of await this.#options.store.list()) this.#known.set(permission.id, permission);
  }

  /** Newest first. */
  list(): Permission[] {
    return [...this.#known.values()].toReversed();
  }

  /** Calls `listener` when another permission is announced. Returns a function that ends it. */
  onGrant(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Null: a person must decide. */
  answerTo(asker: Asker, question: UiRequestEvent): StandingAnswer | null {
    const approval = readApproval(question);
    if (approval === null) return null;
    for (const permission of this.#known.values())
      if (appliesTo(permission, asker) && covers(permission, approval))
        return { permission, value: approval.allow };
    return null;
  }

  /** Null: the answer does not fit the question, or there are too many permissions. Nothing is allowed beyond this call then. */
  grant(asker: Asker, question: UiRequestEvent, remember: Remember, by: Author): Permission | null {
    const approval = readApproval(question);
    const terms = approval === null ? null : termsOf(approval, remember);
    if (terms === null || this.#known.size >= maxPermissions) return null;
    const permission: Permission = {
      id: randomUUID(),
      ...terms,
      where: remember.where,
      agent: asker.worker,
      session: remember.where === "session" ? asker.id : null,
      directory: asker.cwd,
      ...(asker.owner === undefined ? {} : { owner: asker.owner }),
      created_at: new Date().toISOString(),
      created_by: by,
    };
    this.#known.set(permission.id, permission);
    this.#options.store.save(permission).catch((err: unknown) => {
      this.#known.delete(permission.id); // asked again rather than allowed without a record
      this.#options.log.warn({ err }, "a standing permission could not be saved");
    });
    return permission;
  }

  /** Call it after a grant: other open questions may be covered now. */
  announce(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** False: there is none of that id. */
  async revoke(id: string): Promise<boolean> {
    if (!this.#known.delete(id)) return false; // from now on questions are asked, also if the write fails
    await this.#options.store.remove(id);
    return true;
  }

  /** The store has deleted its permissions. */
  sessionDeleted(id: string): void {
    for (const permission of this.#known.values())
      if (permission.session === id) this.#known.delete(permission.id);
  }
}

/** A session acts as its owner, so what was allowed in one person's session says nothing about another's. */
function appliesTo({ agent, session, directory, owner }: Permission, asker: Asker): boolean {
  if (agent !== asker.worker || owner !== asker.owner) return false;
  return session === null ? directory === asker.cwd : session === asker.id;
}

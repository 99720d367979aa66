// Creates sessions for calls with an idempotency key: each key creates one, also when calls arrive together or the server is killed
// between them. The key is saved with the session and outlives it.
import { type CreateSession, PatchbayError } from "@patchbay/protocol";
import type { SessionKey } from "../../store/session-keys.ts";
import type { Store } from "../../store/store.ts";
import type { Session } from "../session.ts";
import type { Hub } from "./hub.ts";

export class KeyedSessions {
  readonly #hub: Hub;
  readonly #store: Pick<Store, "sessionOfKey" | "forgetKeyOf">;
  /** Those that are being created, by their key. */
  readonly #creating = new Map<string, Promise<Session>>();

  constructor(hub: Hub, store: Pick<Store, "sessionOfKey" | "forgetKeyOf">) {
    this.#hub = hub;
    this.#store = store;
  }

  /** The session that a call with this key creates. Concurrent callers share one creation. `isNew`: this call created it. */
  async create(
    key: SessionKey,
    requested: CreateSession,
    owner: string | undefined,
  ): Promise<{ session: Session; isNew: boolean }> {
    const name = JSON.stringify([key.sender, key.key]);
    const shared = this.#creating.get(name);
    if (shared !== undefined) return { session: await shared, isNew: false };
    let isNew = false;
    const creating = this.#store.sessionOfKey(key).then((known) => {
      isNew = known === null;
      if (known === null) return this.#hub.create(requested, owner, key);
      if (this.#hub.find(known) !== null) return this.#hub.open(known);
      throw new PatchbayError(
        "session_deleted",
        "This Idempotency-Key has created a session, which was deleted. Use a new key.",
      );
    });
    this.#creating.set(name, creating);
    try {
      return { session: await creating, isNew };
    } finally {
      this.#creating.delete(name);
    }
  }

  /** Takes back the creation of a session, unless something has begun in it. Its key may create another. */
  async discard({ id, turns, audience }: Session): Promise<void> {
    if (turns.running !== null || turns.items.length > 0 || audience.size > 0) return;
    turns.close();
    await this.#store.forgetKeyOf(id);
    await this.#hub.delete(id);
  }
}

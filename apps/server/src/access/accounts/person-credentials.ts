// What people log in with. All of it is in memory, as people are: a login must not tell by its time what is in the database.
import { PatchbayError } from "@patchbay/protocol";
import * as z from "zod/mini";
import type {
  CredentialKind,
  CredentialRecord,
  CredentialStore,
} from "../../store/people/credential-store.ts";
import { makeSecret } from "../secrets.ts";

/** What is kept for each kind. */
interface CredentialData {
  invitation: { hash: string; expires_at: number };
  password: { hash: string };
  totp: { key: string; used_step: number; recovery: string[] };
}

type Kind = keyof CredentialData;

const dataOf: { readonly [K in Kind]: z.ZodMiniType<CredentialData[K]> } = {
  /** SHA-256 of the secret in the link, base64url. */
  invitation: z.object({ hash: z.string(), expires_at: z.number() }),
  /** As argon2 writes it, with its parameters and salt. */
  password: z.object({ hash: z.string() }),
  /** The key itself, base64url, which the server needs; the step of the newest code; hashes of the recovery codes that are left. */
  totp: z.object({ key: z.string(), used_step: z.number(), recovery: z.array(z.string()) }),
};

export interface Credential<K extends Kind> extends Omit<CredentialRecord, "kind" | "data"> {
  kind: K;
  data: CredentialData[K];
}

export class PersonCredentials {
  readonly #store: CredentialStore;
  readonly #known = new Map<string, CredentialRecord>();

  private constructor(store: CredentialStore) {
    this.#store = store;
  }

  static async open(store: CredentialStore): Promise<PersonCredentials> {
    const credentials = new PersonCredentials(store);
    for (const record of await store.list()) credentials.#known.set(record.id, record);
    return credentials;
  }

  idsOf(person: string, kinds?: readonly CredentialKind[]): string[] {
    return [...this.#known.values()]
      .filter((record) => record.person === person && (kinds?.includes(record.kind) ?? true))
      .map(({ id }) => id);
  }

  has(person: string, kind: Kind): boolean {
    return this.idsOf(person, [kind]).length > 0;
  }

  /** The newest. One that cannot be read counts as missing: it must not let anybody in. */
  find<K extends Kind>(person: string, kind: K): Credential<K> | undefined {
    const record = [...this.#known.values()].findLast((each) => each.person === person && each.kind === kind);
    return record === undefined ? undefined : readCredential(record, kind);
  }

  all<K extends Kind>(kind: K): Credential<K>[] {
    return [...this.#known.values()]
      .filter((record) => record.kind === kind)
      .flatMap((record) => readCredential(record, kind) ?? []);
  }

  /** It still is what it was: it was neither used up nor replaced. */
  isCurrent({ id }: Pick<CredentialRecord, "id">): boolean {
    return this.#known.has(id);
  }

  /** Removes and adds at once, first in the store: a credential that is in use is one that is kept. */
  async change({ remove, add }: { remove: readonly string[]; add: readonly NewCredential[] }): Promise<void> {
    const save = add.map(({ person, kind, data }) => {
      const plain = { id: makeSecret(12), created_at: Date.now(), used_at: null };
      return { ...plain, person, kind, data: JSON.stringify(data) };
    });
    await this.#store.change({ remove, save });
    for (const id of remove) this.#known.delete(id);
    for (const record of save) this.#known.set(record.id, record);
  }

  /** Changes what is kept, at once in memory: what is used up must not be used twice while it is written. */
  async replace<K extends Kind>({ data, ...rest }: Credential<K>): Promise<void> {
    if (!this.#known.has(rest.id)) return;
    const record = { ...rest, used_at: Date.now(), data: JSON.stringify(data) };
    this.#known.set(rest.id, record);
    await this.#store.change({ remove: [], save: [record] });
  }

  /** Saves when it was used last. */
  async touch(id: string): Promise<void> {
    const record = this.#known.get(id);
    if (record === undefined) return;
    const used = { ...record, used_at: Date.now() };
    this.#known.set(id, used);
    await this.#store.change({ remove: [], save: [used] });
  }
}

type NewCredential = { [K in Kind]: Pick<Credential<K>, "person" | "kind" | "data"> }[Kind];

function readCredential<K extends Kind>(record: CredentialRecord, kind: K): Credential<K> | undefined {
  try {
    return { ...record, kind, data: dataOf[kind].parse(JSON.parse(record.data)) };
  } catch {
    return undefined;
  }
}

export const noPerson = (): PatchbayError => new PatchbayError("not_found", "There is no such person.");

// Where share links are kept. Only hashes of their secrets are stored. A frozen link has a document: what its visitors are sent.
import type { Hideable, ShareMode } from "@patchbay/protocol";

/** Times are milliseconds. */
export interface ShareRecord {
  id: string;
  /** SHA-256 of the secret, base64url. */
  hash: string;
  session: string;
  mode: ShareMode;
  /** Of a frozen one: its newest frame. */
  up_to_seq: number | null;
  hidden: Hideable[];
  /** The id of the person, as the session keeps its owner; null: the holder of the token. */
  created_by: string | null;
  created_at: number;
  /** Null: it does not expire. */
  expires_at: number | null;
  views: number;
  last_viewed_at: number | null;
  revoked_at: number | null;
}

export interface ShareStore {
  /** `document`: of a frozen one. */
  add(share: ShareRecord, document: string | null): Promise<void>;
  /** Saves views and the end. A revoked link loses its document. */
  update(share: ShareRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /** Oldest first. */
  list(): Promise<ShareRecord[]>;
  /** Undefined: it is live, or its session was deleted. Deleting a session deletes its documents. */
  document(id: string): Promise<string | undefined>;
}

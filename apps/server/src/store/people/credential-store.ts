// Where is kept with what people log in: passwords, invitations, second factors. Only hashes of secrets are stored, except the key
// of a second factor, which the server needs itself.

export const credentialKinds = ["invitation", "password", "passkey", "totp"] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** Times are milliseconds. */
export interface CredentialRecord {
  id: string;
  /** The id of the person whose it is. */
  person: string;
  kind: CredentialKind;
  /** JSON; its form is that of the kind. */
  data: string;
  created_at: number;
  used_at: number | null;
}

export interface CredentialStore {
  /** Oldest first. */
  list(): Promise<CredentialRecord[]>;
  /** Removes and saves, all or nothing. */
  change(change: { remove: readonly string[]; save: readonly CredentialRecord[] }): Promise<void>;
}

// Where personal access tokens are kept. Only hashes are stored: a copy of the database cannot be used to log in.

/** Times are milliseconds. */
export interface TokenRecord {
  id: string;
  /** The id of the person whose it is. */
  person: string;
  /** SHA-256 of the token, base64url. */
  hash: string;
  /** What it is for, for the person. */
  name: string;
  /** What it may be used for. */
  scopes: string[];
  created_at: number;
  used_at: number | null;
  /** Null: it does not expire. */
  expires_at: number | null;
}

export interface TokenStore {
  /** Adds the token, or replaces it. */
  save(token: TokenRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /** Oldest first. */
  list(): Promise<TokenRecord[]>;
}

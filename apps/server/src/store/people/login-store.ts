// Where logins are kept. Only hashes of their secrets are stored: a copy of the database cannot be used to log in.

/** One browser that logged in. Times are milliseconds. */
export interface LoginRecord {
  id: string;
  /** SHA-256 of the cookie's value, base64url. */
  cookie_hash: string;
  /** The hash of the value before the last rotation; null: the cookie has not been rotated yet. */
  previous_hash: string | null;
  /** SHA-256 of the secret that the page keeps for its own origin. */
  page_hash: string;
  /** The browser and its system, for the list of devices. */
  label: string;
  /** The address that last used it. */
  address: string;
  created_at: number;
  used_at: number;
  /** The login ends then, even if it is in use. */
  expires_at: number;
  rotated_at: number;
  /** When the browser first sent the newest cookie value; null: it may not have received it. */
  confirmed_at: number | null;
  /** Whose it is; null: of the holder of the server's token. */
  person: string | null;
}

export interface LoginStore {
  /** Adds the login, or replaces it. */
  save(login: LoginRecord): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** The least recently used first. */
  list(): Promise<LoginRecord[]>;
}

// Which session a call with an idempotency key has created: the same call creates it once.

export interface SessionKey {
  /** The namespace of the key. */
  sender: string;
  key: string;
}

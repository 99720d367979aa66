// The half of a login that only this page has. Browsers send a cookie to every port of a host; this is kept in the
// storage of our own origin, and sent as a header and as a WebSocket's subprotocol.
import { pageSecretHeader, socketProtocol } from "@patchbay/protocol";
import { base } from "./base.ts";

/** With the path: two servers below one name have logins of their own. */
const key = `patchbay.login${base}`;

/** Null: not logged in, or nothing can be stored here. Read each time: another tab may have logged in since. */
export function pageSecret(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** False: the browser keeps nothing for this page. */
export function keepPageSecret(secret: string): boolean {
  try {
    localStorage.setItem(key, secret);
    return true;
  } catch {
    return false;
  }
}

export function forgetPageSecret(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // nothing was kept
  }
}

export function secretHeaders(): Record<string, string> {
  const secret = pageSecret();
  return secret === null ? {} : { [pageSecretHeader]: secret };
}

/** The server selects the first; the second is for it to read. */
export function socketProtocols(): string[] {
  const secret = pageSecret();
  return secret === null ? [socketProtocol] : [socketProtocol, `${socketProtocol}.${secret}`];
}

/** Calls back when another tab has logged in; returns a function that ends it. */
export function onLoginElsewhere(loggedIn: () => void): () => void {
  const listener = (event: StorageEvent): void => {
    if (event.key === key && event.newValue !== null) loggedIn();
  };
  window.addEventListener("storage", listener);
  return () => window.removeEventListener("storage", listener);
}

// The key by which the server knows this tab again after a reconnect or a reload.
// sessionStorage, not localStorage: two tabs are two viewers.
const key = "patchbay.viewer";
let fallback: string | undefined;

export function viewerKey(): string {
  try {
    const known = sessionStorage.getItem(key);
    if (known !== null) return known;
    const made = randomId();
    sessionStorage.setItem(key, made);
    return made;
  } catch {
    fallback ??= randomId();
    return fallback;
  }
}

/** crypto.randomUUID exists only on https and localhost; a team may open the page by its LAN address. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Logging out: the login ends, and with it everything that this browser keeps and a stranger must not find: drafts, unsent
// prompts, comments, what was seen last. How the page looks and behaves stays.
import { perform } from "./http/call.ts";
import { forgetLastSeen } from "./http/last-seen.ts";
import { forgetPageSecret } from "./http/page-secret.ts";

const settings: ReadonlySet<string> = new Set([
  "patchbay.theme",
  "patchbay.language",
  "patchbay.notify",
  "patchbay.preferences",
  "patchbay.diff",
]);

/** A login of another server below the same name is not ours to remove. */
const isPrivate = (key: string): boolean =>
  key.startsWith("patchbay.") && !settings.has(key) && !key.startsWith("patchbay.login");

export async function logOut(): Promise<void> {
  await perform("/api/logout", { method: "POST" });
  forgetPageSecret();
  await forgetPrivateData();
}

async function forgetPrivateData(): Promise<void> {
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const key of Object.keys(storage)) if (isPrivate(key)) storage.removeItem(key);
  } catch {
    // storage is forbidden here: nothing was kept
  }
  await forgetLastSeen();
}

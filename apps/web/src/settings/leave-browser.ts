// Logs this browser out, and shows the login. Rejects with a sentence for a person.
import { logOut } from "../api/log-out.ts";
import { usePreferences } from "../preferences/preferences.ts";

export async function leaveBrowser(): Promise<void> {
  await logOut();
  usePreferences.getState().prefer({ defaultDirectory: "" }); // a path of the server
  location.reload();
}

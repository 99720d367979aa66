// The name of the person who caused something, as this browser shows it.
import type { Author } from "@patchbay/protocol";
import { useOwnLogin } from "./use-own-login.ts";

/** Undefined: it is this browser's own, or the server has no people. */
export function useAuthorName(by: Author | undefined): string | undefined {
  const own = useOwnLogin(by?.login !== undefined);
  return by?.person === undefined || (by.login !== undefined && by.login === own) ? undefined : by.label;
}

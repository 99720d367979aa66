// Whether there is room for one screen only; the same width as `phone:` in the styles.
import { useSyncExternalStore } from "react";

const query = "(width < 48rem)";

export const isPhone = (): boolean => matchMedia(query).matches;

function subscribe(changed: () => void): () => void {
  const list = matchMedia(query);
  list.addEventListener("change", changed);
  return () => list.removeEventListener("change", changed);
}

/** For what the styles cannot say. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, isPhone);

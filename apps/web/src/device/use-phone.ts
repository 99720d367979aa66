// Whether there is room for one screen only, also after the window or the phone was turned.
import { useSyncExternalStore } from "react";
import { isPhone } from "./is-phone.ts";

function subscribe(changed: () => void): () => void {
  const query = matchMedia("(width < 48rem)");
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}

export const usePhone = (): boolean => useSyncExternalStore(subscribe, isPhone);

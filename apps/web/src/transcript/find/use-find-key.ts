// Ctrl F (⌘ F) opens the find bar of the session that is used; pressed in the bar's field it is the browser's own.
import { useEffect } from "react";
import { activeSession } from "../../connection/open-feeds.ts";

export function useFindKey(session: string, open: () => void): void {
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      const isFind = event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey);
      if (!isFind || event.altKey || event.shiftKey || event.defaultPrevented) return;
      if (activeSession() !== session || document.querySelector('[role="dialog"]') !== null) return;
      if (event.target instanceof Element && event.target.closest("[data-find]") !== null) return;
      event.preventDefault();
      open();
    };
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, [session, open]);
}

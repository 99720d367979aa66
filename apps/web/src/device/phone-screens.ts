// On a phone the list and a session are two screens: a swipe to the right goes back to the list (from files to their session), a swipe to the
// left to the session that was looked at last.
import { type RefObject, useCallback, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { isPhone } from "./is-phone.ts";
import { type Direction, useSwipe } from "./swipe.ts";

export function usePhoneScreens(area: RefObject<HTMLElement | null>): void {
  const [path, navigate] = useLocation();
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (path !== "/") last.current = path;
  }, [path]);
  const swiped = useCallback(
    (direction: Direction): void => {
      if (!isPhone()) return;
      if (direction === "right" && path !== "/")
        navigate(path.endsWith("/files") ? path.slice(0, -"/files".length) : "/");
      if (direction === "left" && path === "/" && last.current !== null) navigate(last.current);
    },
    [path, navigate],
  );
  useSwipe(area, swiped);
}

// Watches all sessions for what a person should know, and shows it in the tab's title and icon, and in a notification
// when the page is not in view.
import { useEffect } from "react";
import { whenIdle } from "../device/when-idle.ts";
import { usePageTitle } from "../navigation/page-title.ts";
import { needsAttention } from "../session-list/group-sessions.ts";
import { isUnread, useSeen } from "../session-list/seen.ts";
import { useSessionList, useSessions } from "../session-list/session-list.ts";
import type { Badge } from "./favicon.ts";
import { noticesBetween } from "./notices.ts";
import { isAway, notify } from "./notify.ts";

export function Attention() {
  const sessions = useSessions();
  const seen = useSeen((store) => store.seen);
  const title = usePageTitle((page) => page.title);
  const needs = sessions.filter(needsAttention).length;
  const done = sessions.some((session) => isUnread(session, seen));
  const working = sessions.some(({ state }) => state === "busy");
  const kind = needs > 0 ? "needs" : done ? "done" : working ? "working" : null;
  useEffect(() => {
    document.title = needs > 0 ? `(${needs}) ${title}` : title;
  }, [needs, title]);
  useEffect(() => {
    const badge: Badge = kind === "needs" ? { kind, count: needs } : kind === null ? null : { kind };
    return whenIdle(() => {
      import("./favicon.ts")
        .then(({ drawFavicon }) => drawFavicon(badge))
        .catch(() => {
          // The tab works without its badge.
        });
    });
  }, [kind, needs]);
  useNotices();
  return null;
}

function useNotices(): void {
  useEffect(
    () =>
      useSessionList.subscribe(({ listing }, { listing: before }) => {
        if (before.state !== "ready" || listing.state !== "ready" || before.sessions === listing.sessions)
          return;
        for (const notice of noticesBetween(before.sessions, listing.sessions)) if (isAway()) notify(notice);
      }),
    [],
  );
}

// Watches all sessions for what somebody should know, and says it where they look: in the tab's title and icon,
// and in a notification when they look elsewhere.
import { useEffect } from "react";
import { whenIdle } from "../device/when-idle.ts";
import { usePageTitle } from "../navigation/page-title.ts";
import { needsSomebody } from "../session-list/group-sessions.ts";
import { isUnread, useSeen } from "../session-list/seen.ts";
import { useSessionList, useSessions } from "../session-list/session-list.ts";
import { type Badge, drawFavicon } from "./favicon.ts";
import { noticesBetween } from "./notices.ts";
import { isAway, notify } from "./notify.ts";

export function Attention() {
  const sessions = useSessions();
  const seen = useSeen((store) => store.seen);
  const words = usePageTitle((title) => title.words);
  const needs = sessions.filter(needsSomebody).length;
  const done = sessions.some((session) => isUnread(session, seen));
  const working = sessions.some(({ state }) => state === "busy");
  const kind = needs > 0 ? "needs" : done ? "done" : working ? "working" : null;
  useEffect(() => {
    document.title = needs > 0 ? `(${needs}) ${words}` : words;
  }, [needs, words]);
  useEffect(() => {
    const badge: Badge = kind === "needs" ? { kind, count: needs } : kind === null ? null : { kind };
    return whenIdle(() => {
      drawFavicon(badge).catch(() => {
        // A tab without its badge is still a tab.
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

// Sessions that are being deleted, at the foot of the list: each can be restored until its time is up, also
// after a reload and from another device.
import type { SessionInfo } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { restore } from "../session-actions/actions.ts";
import { useSessionList } from "../session-list/session-list.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { sidebarTexts } from "./texts.ts";

const none: readonly SessionInfo[] = [];

export function UndoBar() {
  const deleting = useSessionList(({ listing }) => (listing.state === "ready" ? listing.deleting : none));
  if (deleting.length === 0) return null;
  return (
    <ul aria-label={sidebarTexts.beingDeleted} className="shrink-0 border-t border-line">
      {deleting.map((session) => (
        <Deleting key={session.id} session={session} />
      ))}
    </ul>
  );
}

function Deleting({ session }: { session: SessionInfo }) {
  const remove = useSessionList((list) => list.remove);
  const [now, setNow] = useState(() => Date.now());
  const left = Math.ceil((Date.parse(session.deletes_at ?? "") - now) / 1_000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (left <= 0) remove(session.id);
  }, [left, remove, session.id]);
  return (
    <li className="flex h-10 animate-appear items-center gap-2 pr-2 pl-4 text-sm phone:h-14">
      <span className="min-w-0 flex-1 truncate text-muted">
        {sidebarTexts.deleted} <span className="text-ink">{session.name}</span>
      </span>
      <span aria-hidden className="text-xs text-faint tabular-nums">
        {sidebarTexts.seconds(Math.max(0, left))}
      </span>
      <button
        type="button"
        aria-label={sidebarTexts.undoOf(session.name)}
        onClick={() => attempt(restore(session))}
        className="h-7 rounded-md px-2 font-medium text-accent hover:bg-hover phone:h-11 phone:px-3"
      >
        {sidebarTexts.undo}
      </button>
    </li>
  );
}

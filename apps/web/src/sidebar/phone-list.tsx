// The whole list on a phone, below the home page: directories are folded, since the recent sessions stand above.
import { useSessionList } from "../session-list/session-list.ts";
import { LaterNotices } from "./later-notices.tsx";
import { LoadFailed } from "./load-failed.tsx";
import { SessionGroups } from "./session-groups.tsx";
import { sidebarTexts } from "./texts.ts";

export function PhoneList() {
  const listing = useSessionList((list) => list.listing);
  return (
    <>
      {listing.state === "failed" && <LoadFailed message={listing.message} />}
      {listing.state === "ready" && listing.sessions.length > 0 && (
        <nav aria-label={sidebarTexts.sessions} className="px-3 pb-6">
          <h2 className="border-t border-line px-2 pt-4 text-xs font-medium text-faint">
            {sidebarTexts.allSessions}
          </h2>
          <SessionGroups sessions={listing.sessions} onPhone />
        </nav>
      )}
      <div className="sticky bottom-0 mt-auto bg-panel pb-[env(safe-area-inset-bottom)]">
        <LaterNotices />
      </div>
    </>
  );
}

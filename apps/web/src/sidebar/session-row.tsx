// One session in the list: its state, its name, what it cost, and what can be done with it.
import type { SessionInfo } from "@patchbay/protocol";
import { Ellipsis, GitBranch, Pin, Users } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import { formatCost } from "../format/money.ts";
import { baseName } from "../format/path.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { sessionAddress, usePlace } from "../navigation/session-address.ts";
import { EndItems, PlaceItems } from "../session-actions/session-menu-items.tsx";
import { StateDot, stateLabel } from "../session-actions/state-dot.tsx";
import { isUnread, useSeen } from "../session-list/seen.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { Menu } from "../ui/menu/menu.tsx";
import { sidebarTexts } from "./texts.ts";

export const SessionRow = memo(function SessionRow({ session }: { session: SessionInfo }) {
  const place = usePlace();
  const current = place.session === session.id;
  const beside = place.beside === session.id;
  const unread = useSeen(({ seen }) => isUnread(session, seen)) && !current && !beside;
  const label = stateLabel(session, unread);
  return (
    <li className="group relative">
      <Link
        href={sessionAddress(session.id)}
        aria-current={current ? "page" : undefined}
        title={[session.name, label, session.branch, sidebarTexts.changed(formatExact(session.updated_at))]
          .filter(Boolean)
          .join(" · ")}
        className={`flex h-8 items-center gap-2.5 rounded-md px-2 text-sm phone:h-14 phone:pr-12 ${current ? "bg-selected text-ink" : beside ? "bg-hover text-ink" : "text-muted hover:bg-hover hover:text-ink"}`}
      >
        <StateDot session={session} unread={unread} />
        <span className="min-w-0 flex-1">
          <span className={`block truncate phone:text-base phone:text-ink ${unread ? "text-ink" : ""}`}>
            {session.name}
          </span>
          {/* A row on a phone is tall enough for the label; elsewhere the dot shows it */}
          <span className="sr-only phone:not-sr-only phone:text-xs phone:text-faint">
            <span>{label}</span>
            <span className="hidden phone:inline"> · {formatAgo(session.updated_at)}</span>
          </span>
        </span>
        {session.branch !== undefined && (
          <span className="flex max-w-20 shrink-0 items-center gap-0.5 font-mono text-2xs text-faint">
            <GitBranch size={11} aria-hidden className="shrink-0" />
            <span className="truncate">{baseName(session.branch)}</span>
          </span>
        )}
        {(session.access?.team || session.access?.grants.length) && (
          <Users size={11} aria-label={sidebarTexts.shared} className="shrink-0 text-faint" />
        )}
        {session.pinned === true && (
          <Pin size={11} aria-label={sidebarTexts.pinned} className="shrink-0 text-faint" />
        )}
        <span className="shrink-0 text-xs text-faint tabular-nums pointer-fine:group-focus-within:invisible pointer-fine:group-hover:invisible">
          <Aside session={session} />
        </span>
      </Link>
      <span className="absolute top-0.5 right-0.5 flex pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100 pointer-fine:has-data-[state=open]:opacity-100 phone:top-1.5">
        <Menu
          trigger={
            <button
              type="button"
              aria-label={sidebarTexts.menuOf(session.name)}
              className="flex size-7 items-center justify-center rounded-md text-faint hover:bg-selected hover:text-ink data-[state=open]:bg-selected data-[state=open]:text-ink phone:size-11"
            >
              <Ellipsis size={15} aria-hidden />
            </button>
          }
        >
          <PlaceItems session={session} attempt={attempt} />
          <EndItems session={session} attempt={attempt} />
        </Menu>
      </span>
    </li>
  );
});

/** What it cost; before it cost anything, when it changed. */
function Aside({ session }: { session: SessionInfo }) {
  const spent = session.usage.cost_usd > 0 || (session.usage.unpriced ?? 0) > 0;
  const failed = session.state === "failed" && (
    <span className="text-failed phone:hidden">{sidebarTexts.failed}</span>
  );
  if (spent) {
    return (
      <>
        {failed} {formatCost(session.usage)}
      </>
    );
  }
  if (failed !== false) return failed;
  // A phone shows it below the name.
  return <span className="phone:hidden">{formatAgo(session.updated_at)}</span>;
}

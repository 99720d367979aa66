// The list of sessions with their states. On a phone it is a screen of its own.
import type { Session } from "@patchbay/protocol";
import { Plus } from "lucide-react";
import { Link, useRoute } from "wouter";
import { useSessionList } from "../api/session-list.ts";
import { CostsLink } from "../costs/costs-link.tsx";
import { formatCost } from "../format/money.ts";
import { shortDirectory } from "../format/path.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { ThemeMenu } from "../theme/theme-menu.tsx";
import { Button } from "../ui/button.tsx";
import { Logo } from "../ui/logo.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { groupSessions } from "./group-sessions.ts";
import { isUnread, useSeen } from "./seen.ts";
import { StateDot, stateWord } from "./state-dot.tsx";

export function Sidebar({ onNew, className }: { onNew(): void; className: string }) {
  const listing = useSessionList((list) => list.listing);
  return (
    <nav
      aria-label="Sessions"
      className={`flex h-full flex-col border-r border-line bg-panel phone:border-r-0 ${className}`}
    >
      <div className="flex h-12 shrink-0 items-center justify-between px-3 phone:h-14 phone:px-4">
        <Link href="/" className="flex items-center gap-2 rounded-sm font-semibold tracking-[-0.01em]">
          <Logo /> Patchbay
        </Link>
        <span className="-mr-1 phone:-mr-3">
          <ThemeMenu />
        </span>
      </div>
      <div className="px-3 pb-2 phone:px-4">
        <button
          type="button"
          onClick={onNew}
          className="flex h-8 w-full items-center gap-2 rounded-md border border-edge bg-raised px-2.5 text-sm hover:bg-hover phone:h-11"
        >
          <Plus size={15} aria-hidden className="text-accent" /> New session
        </button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {listing.state === "loading" && <Loading />}
        {listing.state === "failed" && <Failed message={listing.message} />}
        {listing.state === "ready" && <Groups sessions={listing.sessions} />}
      </div>
      <CostsLink />
      <Footer />
    </nav>
  );
}

function Groups({ sessions }: { sessions: readonly Session[] }) {
  if (sessions.length === 0) {
    return (
      <p className="px-2 py-3 text-sm text-faint">
        No sessions yet. The first one starts with the button above.
      </p>
    );
  }
  return groupSessions(sessions).map((group) => (
    <section key={group.key} aria-label={group.directory ?? "Needs you"} className="mt-3 first:mt-1">
      <h2
        title={group.directory ?? undefined}
        className={`flex h-6 items-center gap-1.5 truncate px-2 text-xs ${group.directory === null ? "font-medium text-accent" : "text-faint"}`}
      >
        {group.directory === null ? (
          `Needs you · ${group.sessions.length}`
        ) : (
          <span className="truncate font-mono text-2xs">{shortDirectory(group.directory)}</span>
        )}
      </h2>
      <ul>
        {group.sessions.map((session) => (
          <Row key={session.id} session={session} />
        ))}
      </ul>
    </section>
  ));
}

function Row({ session }: { session: Session }) {
  const [current] = useRoute(`/sessions/${session.id}`);
  const unread = useSeen(({ seen }) => isUnread(session, seen)) && !current;
  const spent = session.usage.cost_usd > 0 || (session.usage.unpriced ?? 0) > 0;
  const word = unread ? "done, not read yet" : stateWord(session);
  return (
    <li>
      <Link
        href={`/sessions/${session.id}`}
        aria-current={current ? "page" : undefined}
        title={`${session.name} · ${word} · changed ${formatExact(session.updated_at)}`}
        className={`flex h-8 items-center gap-2.5 rounded-md px-2 text-sm phone:h-14 ${current ? "bg-selected text-ink" : "text-muted hover:bg-hover hover:text-ink"}`}
      >
        <StateDot session={session} unread={unread} />
        <span className="min-w-0 flex-1">
          <span className={`block truncate phone:text-base phone:text-ink ${unread ? "text-ink" : ""}`}>
            {session.name}
          </span>
          {/* A finger's row is tall enough to say it; elsewhere the dot does */}
          <span className="sr-only phone:not-sr-only phone:text-xs phone:text-faint">
            <span>{word}</span>
            <span className="hidden phone:inline"> · {formatAgo(session.updated_at)}</span>
          </span>
        </span>
        <span className="shrink-0 text-xs text-faint tabular-nums">
          {session.state === "failed" ? (
            <span className="text-failed phone:hidden">failed</span>
          ) : spent ? (
            formatCost(session.usage)
          ) : (
            formatAgo(session.updated_at)
          )}
        </span>
      </Link>
    </li>
  );
}

const widths = ["w-3/5", "w-4/5", "w-2/5", "w-3/4"];

const Loading = () => (
  <div role="status" aria-label="Loading sessions" className="pt-2">
    {widths.map((width) => (
      <div key={width} className="flex h-8 items-center gap-2.5 px-2">
        <Skeleton className="size-2" />
        <Skeleton className={`h-3 ${width}`} />
      </div>
    ))}
  </div>
);

function Failed({ message }: { message: string }) {
  const refresh = useSessionList((list) => list.refresh);
  return (
    <div role="alert" className="m-2 text-sm text-muted">
      <p className="mb-2">{message}</p>
      <Button look="plain" onClick={() => void refresh()}>
        Try again
      </Button>
    </div>
  );
}

function Footer() {
  const stale = useSessionList(({ listing }) => (listing.state === "ready" ? listing.stale : null));
  const failed = useSessionList(({ listing }) => listing.state === "failed");
  const good = stale === null && !failed;
  return (
    <p
      role="status"
      title={stale ?? undefined}
      className="flex h-9 shrink-0 items-center gap-2 border-t border-line px-4 text-xs text-faint"
    >
      <span aria-hidden className={`size-1.5 rounded-full ${good ? "bg-done" : "bg-failed"}`} />
      {good ? "Connected" : "Server not reachable"}
    </p>
  );
}

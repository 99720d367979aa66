// The list of sessions with their states. On a phone it is a screen of its own.
import type { SessionInfo } from "@patchbay/protocol";
import { Archive, ChevronRight, Plus, Search, Settings } from "lucide-react";
import { type ComponentType, useEffect, useState } from "react";
import { Link } from "wouter";
import { NotifyOffer } from "../attention/notify-offer.tsx";
import { CostsLink } from "../costs/costs-link.tsx";
import { commandKey } from "../device/command-key.ts";
import { shortDirectory } from "../format/path.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { type Group, groupSessions } from "../session-list/group-sessions.ts";
import { useSessionList } from "../session-list/session-list.ts";
import { ThemeMenu } from "../theme/theme-menu.tsx";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { Logo } from "../ui/logo.tsx";
import { SessionRow } from "./session-row.tsx";
import { UndoBar } from "./undo-bar.tsx";

/** The first screen does not wait for it: most servers have no hint to show. */
const hintAfterMs = 1_500;

/** Loaded without React.lazy: if that fails, there is no hint, and nothing else breaks. */
function LaterHint() {
  const [Hint, setHint] = useState<ComponentType | null>(null);
  useEffect(() => {
    let gone = false;
    const load = (): void => {
      import("../safety/safety-hint.tsx").then(
        (module) => !gone && setHint(() => module.default),
        () => {}, // the next page load tries again
      );
    };
    const timer = setTimeout(load, hintAfterMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, []);
  return Hint === null ? null : <Hint />;
}

export function Sidebar({ onNew, className }: { onNew(): void; className: string }) {
  const listing = useSessionList((list) => list.listing);
  return (
    <nav
      aria-label="Sessions"
      data-region
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
      <div className="flex flex-col gap-1.5 px-3 pb-2 phone:px-4">
        <button
          type="button"
          onClick={() => showOverlay("palette")}
          className="flex h-8 w-full items-center gap-2 rounded-md bg-hover px-2.5 text-sm text-faint hover:text-ink phone:h-11"
        >
          <Search size={14} aria-hidden /> Search, do…
          <kbd aria-hidden className="ml-auto font-sans text-2xs phone:hidden">
            {commandKey} K
          </kbd>
        </button>
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
      <NotifyOffer />
      <LaterHint />
      <UndoBar />
      <CostsLink />
      <Footer />
    </nav>
  );
}

function Groups({ sessions }: { sessions: readonly SessionInfo[] }) {
  if (sessions.length === 0) {
    return (
      <p className="px-2 py-3 text-sm text-faint">
        No sessions yet. The first one starts with the button above.
      </p>
    );
  }
  const { groups, archived } = groupSessions(sessions);
  return (
    <>
      {groups.map((group) => (
        <section key={group.key} aria-label={group.title} className="mt-3 first:mt-1">
          <h2
            title={group.kind === "directory" ? group.title : undefined}
            className={`flex h-6 items-center gap-1.5 truncate px-2 text-xs ${group.kind === "needs" ? "font-medium text-accent" : "text-faint"}`}
          >
            <GroupTitle group={group} />
          </h2>
          <Rows sessions={group.sessions} />
        </section>
      ))}
      {archived.length > 0 && <Archived sessions={archived} />}
    </>
  );
}

const Rows = ({ sessions }: { sessions: readonly SessionInfo[] }) => (
  <ul>
    {sessions.map((session) => (
      <SessionRow key={session.id} session={session} />
    ))}
  </ul>
);

function GroupTitle({ group }: { group: Group }) {
  if (group.kind === "needs") return `${group.title} · ${group.sessions.length}`;
  if (group.kind === "pinned") return group.title;
  return <span className="truncate font-mono text-2xs">{shortDirectory(group.title)}</span>;
}

/** Closed at first. */
function Archived({ sessions }: { sessions: readonly SessionInfo[] }) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-label="Archived" className="mt-4">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-7 w-full items-center gap-1.5 rounded-md px-2 text-xs text-faint hover:bg-hover hover:text-ink phone:h-11"
      >
        <Archive size={12} aria-hidden /> Archived · {sessions.length}
        <ChevronRight
          size={12}
          aria-hidden
          className={`ml-auto transition-transform duration-150 ${open ? "rotate-90" : ""}`}
        />
      </button>
      {open && <Rows sessions={sessions} />}
    </section>
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
    <div className="flex h-9 shrink-0 items-center justify-between border-t border-line pr-1.5 pl-4 phone:h-12">
      <p
        role="status"
        title={stale ?? undefined}
        className="flex min-w-0 items-center gap-2 text-xs text-faint"
      >
        <span aria-hidden className={`size-1.5 rounded-full ${good ? "bg-done" : "bg-failed"}`} />
        {good ? "Connected" : "Server not reachable"}
      </p>
      <button
        type="button"
        onClick={() => showOverlay("settings")}
        className="flex h-7 items-center gap-1.5 rounded-md px-2 text-xs text-faint hover:bg-hover hover:text-ink phone:h-11"
      >
        <Settings size={13} aria-hidden /> Settings
      </button>
    </div>
  );
}

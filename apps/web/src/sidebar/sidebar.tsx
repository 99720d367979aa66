// The list of sessions with their states, beside everything else. A phone has it below the home page (phone-list.tsx).
import { Plus, Search, Settings } from "lucide-react";
import { Link } from "wouter";
import { CostsLink } from "../costs/costs-link.tsx";
import { commandKey } from "../device/command-key.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { useSessionList } from "../session-list/session-list.ts";
import { ThemeMenu } from "../theme/theme-menu.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { Logo } from "../ui/logo.tsx";
import { LaterNotices } from "./later-notices.tsx";
import { LoadFailed } from "./load-failed.tsx";
import { SessionGroups } from "./session-groups.tsx";
import { sidebarTexts } from "./texts.ts";

export function Sidebar({ onNew, className }: { onNew(): void; className: string }) {
  const listing = useSessionList((list) => list.listing);
  return (
    <nav
      aria-label={sidebarTexts.sessions}
      data-region
      className={`flex h-full flex-col border-r border-line bg-panel ${className}`}
    >
      <div className="flex h-12 shrink-0 items-center justify-between px-3">
        <Link href="/" className="flex items-center gap-2 rounded-sm font-semibold tracking-[-0.01em]">
          <Logo /> Patchbay
        </Link>
        <span className="-mr-1">
          <ThemeMenu />
        </span>
      </div>
      <div className="flex flex-col gap-1.5 px-3 pb-2">
        <button
          type="button"
          onClick={() => showOverlay("palette")}
          className="flex h-8 w-full items-center gap-2 rounded-md bg-hover px-2.5 text-sm text-faint hover:text-ink"
        >
          <Search size={14} aria-hidden className="shrink-0" />
          <span className="truncate">{sidebarTexts.search}</span>
          <kbd aria-hidden className="ml-auto shrink-0 font-sans text-2xs">
            {commandKey} K
          </kbd>
        </button>
        <button
          type="button"
          onClick={onNew}
          className="flex h-8 w-full items-center gap-2 rounded-md border border-edge bg-raised px-2.5 text-sm hover:bg-hover"
        >
          <Plus size={15} aria-hidden className="text-accent" /> {sidebarTexts.newSession}
        </button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {listing.state === "loading" && <Loading />}
        {listing.state === "failed" && <LoadFailed message={listing.message} />}
        {listing.state === "ready" && <SessionGroups sessions={listing.sessions} />}
      </div>
      <LaterNotices />
      <CostsLink />
      <Footer />
    </nav>
  );
}

const widths = ["w-3/5", "w-4/5", "w-2/5", "w-3/4"];

const Loading = () => (
  <div role="status" aria-label={sidebarTexts.loading} className="pt-2">
    {widths.map((width) => (
      <div key={width} className="flex h-8 items-center gap-2.5 px-2">
        <Skeleton className="size-2" />
        <Skeleton className={`h-3 ${width}`} />
      </div>
    ))}
  </div>
);

function Footer() {
  const stale = useSessionList(({ listing }) => (listing.state === "ready" ? listing.stale : null));
  const failed = useSessionList(({ listing }) => listing.state === "failed");
  const good = stale === null && !failed;
  return (
    <div className="flex h-9 shrink-0 items-center justify-between border-t border-line pr-1.5 pl-4">
      <p
        role="status"
        title={stale ?? undefined}
        className="flex min-w-0 items-center gap-2 text-xs text-faint"
      >
        <span aria-hidden className={`size-1.5 rounded-full ${good ? "bg-done" : "bg-failed"}`} />
        {good ? sidebarTexts.connected : sidebarTexts.notReachable}
      </p>
      <button
        type="button"
        onClick={() => showOverlay("settings")}
        className="flex h-7 items-center gap-1.5 rounded-md px-2 text-xs text-faint hover:bg-hover hover:text-ink"
      >
        <Settings size={13} aria-hidden /> {sidebarTexts.settings}
      </button>
    </div>
  );
}

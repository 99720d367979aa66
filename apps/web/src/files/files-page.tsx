// The files of a session: what it has changed since it began, and its directory to be read. Comments on changes go to
// the agent as one prompt.
import type { SessionInfo } from "@patchbay/protocol";
import { ArrowLeft, GitBranch, RefreshCw, Send } from "lucide-react";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { registerFeed } from "../connection/open-feeds.ts";
import { FeedContext, useFeed, useFeedState, useOpenFeed } from "../connection/use-feed.ts";
import { shortDirectory } from "../format/path.ts";
import { plural } from "../format/plural.ts";
import { formatClock, formatExact } from "../format/time.ts";
import { usePageTitle } from "../navigation/page-title.ts";
import { sendPrompt } from "../session-actions/send-prompt.ts";
import { SessionDialogs } from "../session-actions/session-dialogs.tsx";
import { Button } from "../ui/button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { fetchChanges, type SessionChanges } from "./api.ts";
import { Browser } from "./browser.tsx";
import { ChangesView } from "./changes-view.tsx";
import { commentsPrompt, useComments } from "./comments.ts";
import { useRefetched } from "./use-refetched.ts";

/** While the agent works, what it has changed is looked at again. */
const lookAgainMs = 5_000;

export default function FilesPage({ id }: { id: string }) {
  const feed = useOpenFeed(id);
  useEffect(() => registerFeed(feed), [feed]);
  return (
    <FeedContext value={feed}>
      <Files />
    </FeedContext>
  );
}

function Files() {
  const session = useFeedState((feed) => feed.session);
  const ended = useFeedState((feed) => (feed.link.state === "ended" ? feed.link : null));
  if (ended !== null) return <p className="p-6 text-muted">{ended.reason}</p>;
  return session === null ? (
    <div role="status" aria-label="Opening the files" />
  ) : (
    <Shown session={session} />
  );
}

function Shown({ session }: { session: SessionInfo }) {
  const [tab, setTab] = useState<"changes" | "all">("changes");
  const title = `Files: ${session.name} · Patchbay`;
  useEffect(() => {
    usePageTitle.setState({ title });
    return () => usePageTitle.setState({ title: "Patchbay" });
  }, [title]);
  const [look, lookAgain] = useLook(session.state === "busy");
  const changes = useRefetched(session.id, look, () => fetchChanges(session.id));
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="flex h-12 shrink-0 items-center gap-3 border-b border-line pr-3 pl-3 phone:h-auto phone:flex-wrap phone:gap-y-1 phone:p-1 phone:pb-2">
        <Link
          href={`/sessions/${session.id}`}
          aria-label="Back to the session"
          className="flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink phone:size-11"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h1 className="min-w-0 truncate font-semibold tracking-[-0.01em] phone:flex-1">{session.name}</h1>
        <Tabs tab={tab} count={changes.data?.files.length ?? 0} onChoose={setTab} />
        <Facts session={session} changes={changes.data} />
        <span className="ml-auto flex items-center gap-1">
          <IconButton label="Look again" onClick={lookAgain}>
            <RefreshCw size={15} aria-hidden />
          </IconButton>
          <SendComments session={session.id} />
        </span>
      </header>
      {tab === "changes" ? (
        <ChangesView session={session} changes={changes} look={look} />
      ) : (
        <Browser session={session.id} look={look} />
      )}
      <SessionDialogs session={session} />
    </div>
  );
}

/** A number that changes when it is time to look: now and then while the agent works, and when it has ended. */
function useLook(busy: boolean): [number, () => void] {
  const [look, setLook] = useState(0);
  useEffect(() => {
    const again = (): void => setLook((before) => before + 1);
    if (!busy) return again();
    const timer = setInterval(() => !document.hidden && again(), lookAgainMs);
    return () => clearInterval(timer);
  }, [busy]);
  return [look, () => setLook(look + 1)];
}

interface TabsProps {
  tab: "changes" | "all";
  count: number;
  onChoose(tab: "changes" | "all"): void;
}

const Tabs = ({ tab, count, onChoose }: TabsProps) => (
  <div
    role="tablist"
    aria-label="Files"
    className="flex rounded-md border border-line p-0.5 phone:order-1 phone:mx-2 phone:w-full"
  >
    {(["changes", "all"] as const).map((name) => (
      <button
        key={name}
        type="button"
        role="tab"
        aria-selected={tab === name}
        onClick={() => onChoose(name)}
        className={`h-6 rounded-sm px-2.5 text-sm phone:h-10 phone:flex-1 ${tab === name ? "bg-selected text-ink" : "text-muted hover:text-ink"}`}
      >
        {name === "changes" ? "Changes" : "All files"}
        {name === "changes" && count > 0 && <span className="ml-1.5 text-faint tabular-nums">{count}</span>}
      </button>
    ))}
  </div>
);

function Facts({ session, changes }: { session: SessionInfo; changes: SessionChanges | null }) {
  if (changes === null) return null;
  const added = changes.files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = changes.files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  return (
    <p className="flex min-w-0 items-center gap-2 truncate text-xs text-faint phone:order-2 phone:w-full phone:px-3">
      {added + removed > 0 && (
        <span className="font-mono tabular-nums">
          <span className="text-added-ink">+{added}</span>{" "}
          <span className="text-removed-ink">−{removed}</span>
        </span>
      )}
      {changes.branch !== null && (
        <span className="flex items-center gap-1 truncate font-mono">
          <GitBranch size={12} aria-hidden /> {changes.branch}
        </span>
      )}
      <span title={`${session.cwd}, compared with ${formatExact(changes.since)}`} className="truncate">
        {shortDirectory(session.cwd)} · since {formatClock(changes.since)}
      </span>
    </p>
  );
}

function SendComments({ session }: { session: string }) {
  const feed = useFeed();
  const { comments, clear } = useComments(session);
  const [, navigate] = useLocation();
  if (comments.length === 0) return null;
  const send = (): void => {
    sendPrompt(feed, commentsPrompt(comments)); // kept by the outbox until the server has it
    clear();
    navigate(`/sessions/${session}`);
  };
  return (
    // On a phone within reach of the thumb
    <span className="phone:fixed phone:inset-x-0 phone:bottom-[var(--covered)] phone:z-20 phone:flex phone:flex-col phone:border-t phone:border-line phone:bg-canvas phone:p-2 phone:pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      <Button look="primary" onClick={send}>
        <Send size={14} aria-hidden /> Send {plural(comments.length, "comment")}
      </Button>
    </span>
  );
}

// One session: its bar, its transcript, and the place to write. Owns the socket while it is open.
import type { SessionInfo } from "@patchbay/protocol";
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { serverSentence } from "../api/http/server-sentence.ts";
import { Composer } from "../composer/composer.tsx";
import { QueuePlace } from "../composer/queue/queue-place.tsx";
import { registerFeed } from "../connection/open-feeds.ts";
import { FeedContext, useFeed, useFeedState, useOpenFeed } from "../connection/use-feed.ts";
import { useMay } from "../connection/use-may.ts";
import { ComposerFooter } from "../controls/composer-footer.tsx";
import { whenIdle } from "../device/when-idle.ts";
import { Widgets } from "../extension-ui/widgets.tsx";
import { usePageTitle } from "../navigation/page-title.ts";
import { Sharing } from "../people/sharing/sharing.ts";
import { sendPrompt } from "../session-actions/send-prompt.ts";
import { stateLabel } from "../session-actions/state-dot.tsx";
import { sessionActionsTexts } from "../session-actions/texts.ts";
import { useSeen } from "../session-list/seen.ts";
import { useSessionList } from "../session-list/session-list.ts";
import { TranscriptView } from "../transcript/transcript-view.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { LinkBanner } from "./banners/link-banner.tsx";
import { TroubleBanner } from "./banners/trouble-banner.tsx";
import { SessionHeader } from "./header/session-header.tsx";
import { sessionTexts } from "./texts.ts";

/** Not part of the first load: the transcript is shown before questions are answered. */
const QuestionCards = lazyPart(async () => ({
  default: (await import("../questions/cards/question-cards.tsx")).QuestionCards,
}));

const loadPanels = () => import("../extension-ui/extension-panels.tsx");
const ExtensionPanels = lazyPart(async () => ({ default: (await loadPanels()).ExtensionPanels }));

/** Not needed for the first picture of a transcript. */
const Announcer = lazyPart(async () => ({
  default: (await import("../transcript/announcer/announcer.tsx")).Announcer,
}));
const SessionBudget = lazyPart(async () => ({
  default: (await import("../costs/budgets/session-budget.tsx")).SessionBudget,
}));
const LateBanners = lazyPart(() => import("./banners/late-banners.tsx"));
const SessionPlan = lazyPart(() => import("../costs/plans/session-plan.tsx"));
const EmptyTranscript = lazyPart(async () => ({
  default: (await import("./empty-transcript.tsx")).EmptyTranscript,
}));

interface Props {
  id: string;
  /** The title of the tab is that of this session. */
  first: boolean;
  /** Another one is beside it. */
  split: boolean;
}

export function SessionPage({ id, first, split }: Props) {
  const feed = useOpenFeed(id);
  // Before the effects of the composer, which takes the focus if its session is the active one.
  useLayoutEffect(() => registerFeed(feed), [feed]);
  return (
    <FeedContext value={feed}>
      <OpenSession key={id} first={first} split={split} />
    </FeedContext>
  );
}

function OpenSession({ first, split }: Omit<Props, "id">) {
  const feed = useFeed();
  const session = useFeedState((feed) => feed.session);
  const ended = useFeedState((feed) => (feed.link.state === "ended" ? feed.link : null));
  const ready = useFeedState((feed) => feed.seq !== null);
  const empty = useFeedState(
    ({ transcript: { messages, marks, partial, bash, branches } }) =>
      messages.length === 0 &&
      marks.length === 0 &&
      partial === null &&
      bash.length === 0 &&
      branches.length < 2,
  );
  const jump = useRef<() => void>(() => {});
  const [onReady] = useState(() => (next: () => void) => {
    jump.current = next;
  });
  useTitle(first ? session : null);
  useWriteThrough(session);
  useListAfterCut();
  useStaleLinkCheck();
  if (ended !== null) return <Gone reason={ended.reason} />;
  if (session === null || !ready) return <Loading />;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <SessionHeader session={session} split={split} />
      <LinkBanner />
      <TroubleBanner />
      <Suspense>
        <LateBanners session={session} />
      </Suspense>
      {/* Beside the transcript, which an empty session does not have: a screen reader reads its first answer too */}
      <Suspense>
        <Announcer />
      </Suspense>
      {empty && session.state !== "starting" ? (
        <Suspense fallback={<div className="min-h-0 flex-1" />}>
          <EmptyTranscript session={session} />
        </Suspense>
      ) : (
        <TranscriptView onReady={onReady} />
      )}
      <div className="mx-auto w-full max-w-[820px] shrink-0 px-8 pb-3 phone:px-3 phone:pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <Driver session={session}>
          <Panels />
          <Questions />
          <Widgets placement="above" />
          <QueuePlace />
          <Suspense>
            <SessionBudget />
          </Suspense>
          <Composer
            onPrompt={(message, images, as) => {
              sendPrompt(feed, message, images, as);
              jump.current();
            }}
          />
          <Widgets placement="below" />
          <ComposerFooter />
          <Suspense>
            <SessionPlan agent={session.worker} />
          </Suspense>
        </Driver>
      </div>
    </div>
  );
}

/** What those who may only watch do not have. */
function Driver({ session, children }: { session: SessionInfo; children: ReactNode }) {
  return useMay(session, "drive") ? (
    children
  ) : (
    <Suspense>
      <Sharing session={session} part="watching" />
    </Suspense>
  );
}

/** Loaded with the first question, and kept: an answer is settled after its question has left the list. */
function Questions() {
  const asked = useFeedState(
    ({ session, answering }) => (session?.pending.length ?? 0) > 0 || answering.length > 0,
  );
  const [used, setUsed] = useState(asked);
  if (asked && !used) setUsed(true);
  return <Suspense>{used && <QuestionCards />}</Suspense>;
}

/** Loaded when the browser is idle: what a person types after a command that opens a panel is for the panel. */
function Panels() {
  useEffect(() => whenIdle(() => void loadPanels().catch(() => {})), []);
  const open = useFeedState(({ transcript }) => transcript.surface.panels.length > 0);
  return <Suspense>{open && <ExtensionPanels />}</Suspense>;
}

function useTitle(session: SessionInfo | null): void {
  const label = session === null ? "" : stateLabel(session);
  const state = label === sessionActionsTexts.idle ? null : label;
  const called = useFeedState((feed) => feed.transcript.surface.title);
  const name = session === null ? undefined : (called ?? session.name);
  useEffect(() => {
    if (name === undefined) return;
    usePageTitle.setState({
      title: state === null ? `${name} · Patchbay` : `${state}: ${name} · Patchbay`,
    });
    return () => usePageTitle.setState({ title: "Patchbay" });
  }, [name, state]);
}

/** The list shows what this session's socket already knows, and forgets that it was unread. */
function useWriteThrough(session: SessionInfo | null): void {
  const put = useSessionList((list) => list.put);
  const mark = useSeen((seen) => seen.mark);
  // A busy session is not marked, and its number changes with every delta.
  const seq = useFeedState((feed) => (feed.session?.state === "busy" ? null : feed.seq));
  useEffect(() => {
    if (session !== null) put(session);
  }, [session, put]);
  const id = session?.id;
  const idle = session?.state !== "busy";
  useEffect(() => {
    if (id !== undefined && seq !== null && idle) mark(id, Math.max(seq, session?.seq ?? 0));
  }, [id, seq, idle, mark, session?.seq]);
}

/** The other sessions may have changed during the cut. */
function useListAfterCut(): void {
  const refresh = useSessionList((list) => list.refresh);
  const state = useFeedState((feed) => feed.link.state);
  const cut = useRef(false);
  useEffect(() => {
    if (state === "cut") cut.current = true;
    if (state !== "live" || !cut.current) return;
    cut.current = false;
    void refresh();
  }, [state, refresh]);
}

/** The list has its own socket: it may know of frames that this page should have. */
function useStaleLinkCheck(): void {
  const feed = useFeed();
  useEffect(
    () =>
      useSessionList.subscribe(({ listing }) => {
        if (listing.state !== "ready") return;
        const listed = listing.sessions.find(({ id }) => id === feed.id);
        if (listed !== undefined) feed.checkStale(listed.seq);
      }),
    [feed],
  );
}

function Loading() {
  return (
    <div role="status" aria-label={sessionTexts.opening} className="flex h-full flex-col">
      <div className="flex h-12 items-center border-b border-line px-5">
        <Skeleton className="h-3.5 w-48" />
      </div>
      <LinkBanner />
      <TroubleBanner />
      <div className="mx-auto w-full max-w-[820px] flex-1 px-8 pt-8 phone:px-4">
        <Skeleton className="h-3 w-16" />
        <Skeleton className="mt-3 h-4 w-3/5" />
        <Skeleton className="mt-8 h-3 w-2/5" />
        <Skeleton className="mt-4 h-4 w-4/5" />
        <Skeleton className="mt-2.5 h-4 w-3/4" />
      </div>
    </div>
  );
}

function Gone({ reason }: { reason: string }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 px-6 text-center">
      <h1 className="text-lg font-semibold">{sessionTexts.unavailable}</h1>
      {/* Translated when it is shown: the socket may have closed before the translation was loaded. */}
      <p className="max-w-[48ch] text-muted">{serverSentence(reason)}</p>
      <Link
        href="/"
        className="mt-2 rounded-md border border-edge bg-raised px-3 py-1.5 text-sm hover:bg-hover"
      >
        {sessionTexts.backToList}
      </Link>
    </div>
  );
}

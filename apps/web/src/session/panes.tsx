// The session of the address, the one beside it where there is room for two, and the pane with files beside them. The
// session that was last used is active: keys and the palette act on it.
import { type CSSProperties, Suspense, useLayoutEffect, useRef } from "react";
import { activate, useOpenFeeds } from "../connection/open-feeds.ts";
import { FeedContext } from "../connection/use-feed.ts";
import { type FilesPlace, useFilesPlace, useKeptPane } from "../navigation/files-address.ts";
import { usePlace } from "../navigation/session-address.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { splitPlace } from "../ui/split-place.ts";
import { SessionPage } from "./session-page.tsx";
import { sessionTexts } from "./texts.ts";

const SidePane = lazyPart(() => import("./side-pane.tsx"));
const Splitter = lazyPart(() => import("../ui/splitter.tsx"));

/** Where the lines between the panes are until they are moved. */
const halves = 0.5;
const paneAt = 0.54;

export function Panes() {
  const { session, beside } = usePlace();
  const files = useFilesPlace();
  useKeptPane();
  const frame = useRef<HTMLDivElement>(null);
  const sessions = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (session !== null) activate(session);
  }, [session]);
  if (session === null) return null;
  const split = beside !== null;
  return (
    <div
      ref={frame}
      style={variable("pane", paneAt)}
      className="@container/main relative flex h-full min-w-0"
    >
      <div
        ref={sessions}
        style={variable("split", halves)}
        // Without room for both, the files cover the session; it stays laid out, so that the reader's place is kept
        className={`relative flex h-full min-w-0 flex-1 ${files === null ? "" : "@max-3xl/main:invisible"}`}
      >
        <Pane key="first" id={session} first split={split} files={files} />
        {split && (
          <>
            <Suspense>
              <Splitter
                name="split"
                label={sessionTexts.resizeSessions}
                at={halves}
                parent={sessions}
                className={`phone:hidden ${files === null ? "" : "@max-[80rem]/main:hidden"}`}
              />
            </Suspense>
            <Pane key="second" id={beside} first={false} split files={files} />
          </>
        )}
      </div>
      {files !== null && (
        <>
          <Suspense>
            <Splitter
              name="pane"
              label={sessionTexts.resizePane}
              at={paneAt}
              parent={frame}
              className="@max-3xl/main:hidden"
            />
          </Suspense>
          <aside
            aria-label={sessionTexts.sidePane}
            data-region
            tabIndex={-1}
            className="@container/pane h-full outline-none w-[clamp(20rem,calc((1-var(--pane))*100%),calc(100%-20rem))] shrink-0 @max-3xl/main:absolute @max-3xl/main:inset-0 @max-3xl/main:z-20 @max-3xl/main:w-full"
          >
            <FilesOf place={files} />
          </aside>
        </>
      )}
    </div>
  );
}

const variable = (name: string, at: number): CSSProperties => ({ [`--${name}`]: splitPlace(name, at) });

/** The session's feed is that of its page, which is on the screen or covered. */
function FilesOf({ place }: { place: FilesPlace }) {
  const feed = useOpenFeeds(({ feeds }) => feeds.find(({ id }) => id === place.of) ?? null);
  if (feed === null) return null;
  return (
    <FeedContext value={feed}>
      <Suspense>
        <SidePane key={place.of} place={place} />
      </Suspense>
    </FeedContext>
  );
}

interface PaneProps {
  id: string;
  first: boolean;
  split: boolean;
  files: FilesPlace | null;
}

function Pane({ id, first, split, files }: PaneProps) {
  const active = useOpenFeeds((open) => open.active === id);
  // Three columns need a wide screen: elsewhere the files take the place of the other session, which keeps its place.
  const gives = split && files !== null && files.of !== id;
  return (
    <section
      aria-label={split ? (first ? sessionTexts.leftSession : sessionTexts.rightSession) : undefined}
      data-pane={id}
      data-region
      onFocusCapture={() => activate(id)}
      onPointerDownCapture={() => activate(id)}
      // A phone has room for one: the one that the address names first.
      className={`@container/session relative h-full min-w-0 ${first && split ? "w-[calc(var(--split)*100%)] min-w-[20%] max-w-[80%] shrink-0 phone:w-full phone:max-w-none" : "flex-1"} ${first ? "" : "phone:hidden"} ${gives ? "@max-[80rem]/main:invisible @max-[80rem]/main:absolute @max-[80rem]/main:inset-0" : ""} ${split && files?.of === id ? "@max-[80rem]/main:w-full @max-[80rem]/main:max-w-none" : ""}`}
    >
      {split && active && (
        <span aria-hidden className="absolute inset-x-0 top-0 z-10 h-0.5 bg-fill phone:hidden" />
      )}
      <SessionPage id={id} first={first} split={split} />
    </section>
  );
}

// The session of the address, and the one beside it where there is room for two. The one that was last
// used is active: keys and the palette act on it.
import { useEffect } from "react";
import { activate, useOpenFeeds } from "../connection/open-feeds.ts";
import { usePlace } from "../navigation/session-address.ts";
import { SessionPage } from "./session-page.tsx";

export function Panes() {
  const { session, beside } = usePlace();
  useEffect(() => {
    if (session !== null) activate(session);
  }, [session]);
  if (session === null) return null;
  return (
    <div className="flex h-full min-w-0">
      <Pane key="first" id={session} first split={beside !== null} />
      {beside !== null && <Pane key="second" id={beside} first={false} split />}
    </div>
  );
}

function Pane({ id, first, split }: { id: string; first: boolean; split: boolean }) {
  const active = useOpenFeeds((open) => open.active === id);
  return (
    <section
      aria-label={split ? (first ? "Left session" : "Right session") : undefined}
      data-pane={id}
      onFocusCapture={() => activate(id)}
      onPointerDownCapture={() => activate(id)}
      // A phone has room for one: the one that the address names first.
      className={`relative h-full min-w-0 flex-1 ${first ? "" : "border-l border-line phone:hidden"}`}
    >
      {split && active && (
        <span aria-hidden className="absolute inset-x-0 top-0 z-10 h-0.5 bg-fill phone:hidden" />
      )}
      <SessionPage id={id} first={first} split={split} />
    </section>
  );
}

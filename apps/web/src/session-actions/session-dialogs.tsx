// What a session's menu and the palette open over it: its details, and the question before it is cleared. Here and not
// in the menu, because the palette opens them wherever the session is shown.
import type { SessionInfo } from "@patchbay/protocol";
import { Suspense, useEffect } from "react";
import { create } from "zustand";
import { useFeed } from "../connection/use-feed.ts";
import { Sharing } from "../people/sharing/sharing.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { sessionActionsTexts } from "./texts.ts";

const SessionDetails = lazyPart(async () => ({
  default: (await import("./session-details.tsx")).SessionDetails,
}));
const Confirm = lazyPart(async () => ({ default: (await import("../ui/confirm.tsx")).Confirm }));

interface Shown {
  session: string;
  dialog: "clear" | "details" | "share";
}

const useShown = create<{ shown: Shown | null }>(() => ({ shown: null }));

export const showDialog = (session: string, dialog: Shown["dialog"]): void =>
  useShown.setState({ shown: { session, dialog } });

const close = (): void => useShown.setState({ shown: null });

export function SessionDialogs({ session }: { session: SessionInfo }) {
  const feed = useFeed();
  const dialog = useShown(({ shown }) => (shown?.session === session.id ? shown.dialog : null));
  // Leaving the session closes its dialog.
  useEffect(
    () => () => {
      if (useShown.getState().shown?.session === session.id) close();
    },
    [session.id],
  );
  return (
    <Suspense>
      {dialog === "details" && <SessionDetails session={session} onClose={close} />}
      {dialog === "share" && <Sharing session={session} part="dialog" onShare={close} />}
      {dialog === "clear" && (
        <Confirm
          title={sessionActionsTexts.clearTitle}
          description={sessionActionsTexts.clearText}
          verb={sessionActionsTexts.clearVerb}
          onClose={close}
          onConfirm={() => feed.ask({ type: "clear" })}
        />
      )}
    </Suspense>
  );
}

// What a session's menu and the palette open over it: its details, who may do what, its share links, and the question before it is cleared. Here and not
// in the menu, because the palette opens them wherever the session is shown.
import type { SessionInfo } from "@patchbay/protocol";
import { Suspense, useEffect } from "react";
import { create } from "zustand";
import { lazyPart } from "../ui/lazy-part.ts";

const ShownDialog = lazyPart(() => import("./shown-dialog.tsx"));

interface Shown {
  session: string;
  dialog: "clear" | "details" | "people" | "links";
}

const useShown = create<{ shown: Shown | null }>(() => ({ shown: null }));

export const showDialog = (session: string, dialog: Shown["dialog"]): void =>
  useShown.setState({ shown: { session, dialog } });

const close = (): void => useShown.setState({ shown: null });

export function SessionDialogs({ session }: { session: SessionInfo }) {
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
      {dialog !== null && <ShownDialog session={session} dialog={dialog} onClose={close} />}
    </Suspense>
  );
}

// The keys that work wherever the focus is not in a field; F6 and the palette's work there too. With a dialog or a menu
// open they belong to it.

import type { SessionInfo } from "@patchbay/protocol";
import { useLayoutEffect } from "react";
import { activeFeed, activeSession } from "../connection/open-feeds.ts";
import type { SessionFeed } from "../connection/session-feed.ts";
import { isPhone } from "../device/is-phone.ts";
import { actionKeys, pressedKey } from "../navigation/action-keys.ts";
import { toggleFiles } from "../navigation/files-address.ts";
import { showOverlay, showPalettePage, useOverlay } from "../navigation/overlay.ts";
import { closePane, currentPlace, go, sessionAddress } from "../navigation/session-address.ts";
import { rename } from "../session-actions/actions.ts";
import { canCompact, compactContext } from "../session-actions/compact-context.ts";
import { showDialog } from "../session-actions/session-dialogs.tsx";
import { listedInOrder } from "../session-list/group-sessions.ts";
import { useSessionList } from "../session-list/session-list.ts";
import { focusField, followFocus, stepRegion } from "./regions.ts";

export function useGlobalKeys(): void {
  // Before the page is painted: once it is visible a person may press a key.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey) {
        event.preventDefault();
        showOverlay(useOverlay.getState().shown === "palette" ? null : "palette");
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || hasPopup()) return;
      const pressed = pressedKey(event);
      const action = everywhere.get(pressed) ?? (isField(event.target) ? undefined : actions.get(pressed));
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", onKey);
    const stop = followFocus();
    return () => {
      window.removeEventListener("keydown", onKey);
      stop();
    };
  }, []);
}

const everywhere: ReadonlyMap<string, () => void> = new Map([
  [actionKeys.nextPane, () => stepRegion(1)],
  [actionKeys.previousPane, () => stepRegion(-1)],
]);

/** Of the active session, if there is one. */
const ofSession = (act: (session: SessionInfo, feed: SessionFeed) => void) => (): void => {
  const feed = currentPlace().session === null ? null : activeFeed();
  const session = feed?.store.getState().session ?? null;
  if (feed !== null && session !== null) act(session, feed);
};

const actions: ReadonlyMap<string, () => void> = new Map([
  [actionKeys.shortcuts, () => showOverlay("shortcuts")],
  [actionKeys.newSession, () => showOverlay("new-session")],
  [actionKeys.settings, () => showOverlay("settings")],
  [actionKeys.search, () => go("/search")],
  [actionKeys.prompt, () => focusField(activeSession())],
  [actionKeys.previousSession, () => step(-1)],
  [actionKeys.nextSession, () => step(1)],
  [actionKeys.files, ofSession(({ id }) => toggleFiles(id))],
  [actionKeys.split, ofSession(() => !isPhone() && showPalettePage("beside"))],
  [actionKeys.closeSplit, ofSession(({ id }) => currentPlace().beside !== null && closePane(id))],
  [actionKeys.model, ofSession(() => showPalettePage("model"))],
  [
    actionKeys.thinking,
    ofSession((session) => session.capabilities.includes("thinking_levels") && showPalettePage("thinking")),
  ],
  [actionKeys.export, ofSession(() => showPalettePage("export"))],
  [actionKeys.details, ofSession(({ id }) => showDialog(id, "details"))],
  [actionKeys.rename, ofSession(rename)],
  [
    actionKeys.compact,
    ofSession((_session, feed) => canCompact(feed.store.getState()) && compactContext(feed)),
  ],
  [actionKeys.menu, ofSession(({ id }) => openMenu(id))],
]);

const openMenu = (id: string): void =>
  document.querySelector<HTMLElement>(`[data-pane="${CSS.escape(id)}"] [data-session-menu]`)?.click();

/** A dialog or a menu has the keys. */
const hasPopup = (): boolean => document.querySelector('[role="dialog"],[role="menu"]') !== null;

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input,textarea,select,[role="application"],[role="listbox"]') !== null
  );
}

function step(by: 1 | -1): void {
  const { listing } = useSessionList.getState();
  if (listing.state !== "ready") return;
  const ids = listedInOrder(listing.sessions).map(({ id }) => id);
  const at = ids.indexOf(currentPlace().session ?? "");
  const next = ids[at === -1 ? (by === 1 ? 0 : ids.length - 1) : at + by];
  if (next !== undefined) go(sessionAddress(next));
}

// The keys that work wherever the focus is not in a field. With a dialog or a menu open they belong to it.

import { useLayoutEffect } from "react";
import { activeSession } from "../connection/open-feeds.ts";
import { showOverlay, useOverlay } from "../navigation/overlay.ts";
import { currentPlace, go, sessionAddress } from "../navigation/session-address.ts";
import { listedInOrder } from "../session-list/group-sessions.ts";
import { useSessionList } from "../session-list/session-list.ts";

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
      const action = actions.get(event.key);
      if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTaken(event.target)) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

const actions: ReadonlyMap<string, () => void> = new Map([
  ["?", () => showOverlay("shortcuts")],
  ["n", () => showOverlay("new-session")],
  ["f", () => go("/search")],
  ["/", focusComposer],
  ["[", () => step(-1)],
  ["]", () => step(1)],
]);

/** The focus is in a field, or a dialog or menu has the keys. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"],[role="menu"]') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input,textarea,select,[role="application"],[role="listbox"]') !== null
  );
}

/** In the active pane. */
function focusComposer(): void {
  const fields = [...document.querySelectorAll<HTMLTextAreaElement>("textarea[data-composer]")];
  const wanted = fields.find((field) => field.dataset["composer"] === activeSession());
  (wanted ?? fields[0])?.focus();
}

function step(by: 1 | -1): void {
  const { listing } = useSessionList.getState();
  if (listing.state !== "ready") return;
  const ids = listedInOrder(listing.sessions).map(({ id }) => id);
  const at = ids.indexOf(currentPlace().session ?? "");
  const next = ids[at === -1 ? (by === 1 ? 0 : ids.length - 1) : at + by];
  if (next !== undefined) go(sessionAddress(next));
}

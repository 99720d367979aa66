// The addresses of the pane beside a session: `/sessions/:id/files`, with the tab and the file that it shows. Beside two
// sessions `of` names the one that the pane belongs to. A wide screen keeps the pane where it was opened: the address of
// the session alone leads to it again.
import { useLayoutEffect } from "react";
import { useRoute, useSearchParams } from "wouter";
import { navigate } from "wouter/use-browser-location";
import { base } from "../api/http/base.ts";
import { isPhone } from "../device/is-phone.ts";
import { hasOpenPane, keepPaneOpen } from "./open-panes.ts";
import { currentPlace, type SessionPlace, usePlace } from "./session-address.ts";

export type PaneTab = "changes" | "files";

export interface FilesPlace {
  /** The session. */
  of: string;
  tab: PaneTab;
  /** From the session's directory; empty: none is chosen. */
  path: string;
  /** From 1. */
  line: number | null;
}

/** What is shown: with a path and no tab the file itself, with neither what has changed. */
type Shown = Partial<Pick<FilesPlace, "tab" | "path" | "line">>;

export const filesAddress = (id: string, shown: Shown = {}): string =>
  addressOf({ session: id, beside: null }, id, shown);

function addressOf(
  { session, beside }: SessionPlace,
  of: string,
  { tab, path = "", line = null }: Shown,
): string {
  const query = new URLSearchParams();
  if (beside !== null) query.set("with", beside);
  if (of !== session) query.set("of", of);
  if (tab !== undefined && tab !== (path === "" ? "changes" : "files")) query.set("tab", tab);
  if (path !== "") query.set("path", path);
  if (path !== "" && line !== null) query.set("line", String(line));
  const text = query.toString();
  return `/sessions/${session ?? of}/files${text === "" ? "" : `?${text}`}`;
}

export function readFilesPlace({ session, beside }: SessionPlace, query: URLSearchParams): FilesPlace | null {
  if (session === null) return null;
  const path = query.get("path") ?? "";
  const line = Number(query.get("line"));
  const tab = query.get("tab") ?? (path === "" ? "changes" : "files");
  return {
    of: beside !== null && query.get("of") === beside ? beside : session,
    tab: tab === "files" ? "files" : "changes",
    path,
    line: Number.isSafeInteger(line) && line > 0 ? line : null,
  };
}

/** Null: the pane is closed. */
export function useFilesPlace(): FilesPlace | null {
  const [isOpen] = useRoute("/sessions/:id/files");
  const place = usePlace();
  const [query] = useSearchParams();
  return isOpen ? readFilesPlace(place, query) : null;
}

/** For event handlers; components use the hook. */
const currentFilesPlace = (): FilesPlace | null =>
  /^\/sessions\/[^/]+\/files$/.test(location.pathname.slice(base.length))
    ? readFilesPlace(currentPlace(), new URLSearchParams(location.search))
    : null;

/** Whether the session is covered: a phone shows its files instead. */
export const filesCoverSession = (): boolean => isPhone() && currentFilesPlace() !== null;

/** A pane beside a session is no step of the history; a screen of its own is one, which the phone's Back undoes. */
const goTo = (address: string): void => navigate(base + address, { replace: !isPhone() });

/** Beside the sessions that are shown, where its session is one of them. */
export function openFiles(id: string, shown: Shown = {}): void {
  const place = currentPlace();
  const isShown = place.session === id || (place.beside === id && !isPhone());
  goTo(addressOf(isShown ? place : { session: id, beside: null }, id, shown));
}

export function closeFiles(): void {
  const { session, beside } = currentPlace();
  const pane = currentFilesPlace();
  if (session === null || pane === null) return;
  keepPaneOpen(pane.of, false);
  goTo(beside === null ? `/sessions/${session}` : `/sessions/${session}?with=${beside}`);
}

export const toggleFiles = (id: string): void =>
  currentFilesPlace()?.of === id ? closeFiles() : openFiles(id);

/** Keeps the pane open where it was opened, and opens it again there. */
export function useKeptPane(): void {
  const { session, beside } = usePlace();
  const of = useFilesPlace()?.of ?? null;
  useLayoutEffect(() => {
    if (isPhone()) return;
    if (of !== null) return keepPaneOpen(of, true);
    if (session === null || beside !== null || !hasOpenPane(session)) return;
    const query = location.search; // it may name a message
    navigate(`${base}${filesAddress(session)}${query}`, { replace: true });
  }, [session, beside, of]);
}

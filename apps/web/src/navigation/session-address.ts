// The addresses of sessions: one, or two side by side, each with a message to show (`at`, `with_at`) and search terms in it
// (`find`, `with_find`). They are read and written here only; the files beside a session have theirs in files-address.ts.
import { useRoute, useSearchParams } from "wouter";
import { navigate } from "wouter/use-browser-location";
import { base } from "../api/http/base.ts";
import { isPhone } from "../device/is-phone.ts";
import { messageAddress } from "./message-address.ts";

export interface SessionPlace {
  session: string | null;
  /** The one beside it. */
  beside: string | null;
}

export const sessionAddress = (id: string, beside: string | null = null): string =>
  beside === null ? `/sessions/${id}` : `/sessions/${id}?with=${beside}`;

/** The parameter that names a message of that pane. */
export const timeParameter = (pane: "first" | "beside"): string => (pane === "first" ? "at" : "with_at");

/** The parameter with the search terms of that pane. */
export const searchParameter = (pane: "first" | "beside"): string =>
  pane === "first" ? "find" : "with_find";

/** Shows a message where its session is on the screen already; else its session, alone. */
export function goToMessage(id: string, time: string, find: string): void {
  const { session, beside } = currentPlace();
  const isShown = session !== null && beside !== null && (id === session || id === beside);
  // A phone shows one pane only.
  if (!isShown || isPhone()) return go(messageAddress(id, time, find));
  const pane = id === session ? "first" : "beside";
  const link = new URLSearchParams([
    [timeParameter(pane), time],
    [searchParameter(pane), find],
  ]);
  go(`${sessionAddress(session, beside)}&${link}`);
}

export const go = (address: string): void => navigate(base + address);

/** For event handlers; components use the hook. */
export function currentPlace(): SessionPlace {
  const path = location.pathname.slice(base.length);
  const session = /^\/sessions\/([^/]+)/.exec(path)?.[1] ?? null;
  return { session, beside: other(session, new URLSearchParams(location.search).get("with")) };
}

export function usePlace(): SessionPlace {
  const [inSession, params] = useRoute("/sessions/:id/*?");
  const [search] = useSearchParams();
  const session = inSession ? params.id : null;
  return { session, beside: other(session, search.get("with")) };
}

/** A session is not shown beside itself. */
const other = (session: string | null, beside: string | null): string | null =>
  beside === session || beside === "" || session === null ? null : beside;

/** Beside the session that is shown; alone where none is. */
export function openBeside(id: string): void {
  const { session } = currentPlace();
  go(session === null || session === id ? sessionAddress(id) : sessionAddress(session, id));
}

/** The session is no longer shown; the one beside it stays. */
export function closePane(id: string): void {
  const { session, beside } = currentPlace();
  if (session === id) go(beside === null ? "/" : sessionAddress(beside));
  else if (session !== null && beside === id) go(sessionAddress(session));
}

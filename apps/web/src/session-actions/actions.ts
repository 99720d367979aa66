// What can be done with any session, wherever it is offered: the list, its own menu, the palette. The
// caller shows what the server refuses.
import type { SessionInfo } from "@patchbay/protocol";
import { deleteSession, restoreSession, stopSession, updateSession } from "../api/sessions.ts";
import { filesCoverSession } from "../navigation/files-address.ts";
import { closePane, currentPlace, go, sessionAddress } from "../navigation/session-address.ts";
import { useSessionList } from "../session-list/session-list.ts";
import { useRenaming } from "./use-renaming.ts";

/** Long enough to see that it was the wrong one, and to reach for the mouse. */
const undoSeconds = 12;

const { put, refresh } = useSessionList.getState();

export const pin = async (session: SessionInfo): Promise<void> =>
  put(await updateSession(session.id, { pinned: session.pinned !== true }));

export const archive = async (session: SessionInfo): Promise<void> =>
  put(await updateSession(session.id, { archived: session.archived !== true }));

export async function stop(session: SessionInfo): Promise<void> {
  await stopSession(session.id);
  await refresh();
}

/** Removed from the list now, and for good a little later; until then `restore` brings it back. */
export async function remove(session: SessionInfo): Promise<void> {
  put(await deleteSession(session.id, undoSeconds));
  closePane(session.id);
}

export const restore = async (session: SessionInfo): Promise<void> => put(await restoreSession(session.id));

/** The name is edited in the header of the session. */
export function rename(session: SessionInfo): void {
  const { session: shown, beside } = currentPlace();
  if ((shown !== session.id && beside !== session.id) || filesCoverSession()) go(sessionAddress(session.id));
  useRenaming.setState({ id: session.id });
}

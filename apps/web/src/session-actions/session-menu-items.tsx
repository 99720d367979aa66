// The items about a session as a whole, the same in the list and above its transcript.
import type { SessionInfo } from "@patchbay/protocol";
import { Archive, ArchiveRestore, CircleStop, Columns2, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { useMay } from "../connection/use-may.ts";
import { openBeside, usePlace } from "../navigation/session-address.ts";
import { MenuItem, MenuLine } from "../ui/menu/menu.tsx";
import { archive, pin, remove, rename, stop } from "./actions.ts";
import { sessionActionsTexts } from "./texts.ts";

interface Props {
  session: SessionInfo;
  /** Handles the promise of the action. */
  attempt(what: Promise<unknown>): void;
}

export function PlaceItems({ session, attempt }: Props) {
  const { session: shown, beside } = usePlace();
  const isOwner = useMay(session, "own");
  const pinned = session.pinned === true;
  const archived = session.archived === true;
  return (
    <>
      <MenuItem icon={<Pencil size={14} />} disabled={!isOwner} onSelect={() => rename(session)}>
        {sessionActionsTexts.rename}
      </MenuItem>
      <MenuItem
        icon={pinned ? <PinOff size={14} /> : <Pin size={14} />}
        disabled={!isOwner}
        onSelect={() => attempt(pin(session))}
      >
        {pinned ? sessionActionsTexts.unpin : sessionActionsTexts.pin}
      </MenuItem>
      <MenuItem
        icon={archived ? <ArchiveRestore size={14} /> : <Archive size={14} />}
        disabled={!isOwner}
        onSelect={() => attempt(archive(session))}
      >
        {archived ? sessionActionsTexts.unarchive : sessionActionsTexts.archive}
      </MenuItem>
      {shown !== null && shown !== session.id && beside !== session.id && (
        <span className="phone:hidden">
          <MenuItem icon={<Columns2 size={14} />} onSelect={() => openBeside(session.id)}>
            {sessionActionsTexts.openBeside}
          </MenuItem>
        </span>
      )}
    </>
  );
}

export function EndItems({ session, attempt }: Props) {
  const isOwner = useMay(session, "own");
  const drives = useMay(session, "drive");
  const asleep = session.state === "stopped" || session.state === "failed";
  return (
    <>
      <MenuItem
        icon={<CircleStop size={14} />}
        disabled={asleep || !drives}
        onSelect={() => attempt(stop(session))}
      >
        {sessionActionsTexts.stopAgent}
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon={<Trash2 size={14} />}
        danger
        disabled={!isOwner}
        onSelect={() => attempt(remove(session))}
      >
        {sessionActionsTexts.deleteSession}
      </MenuItem>
    </>
  );
}

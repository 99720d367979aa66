// In the header of a session: whose it is, where it is somebody else's, and with whom it is shared.
import type { SessionInfo } from "@patchbay/protocol";
import { Eye, Users } from "lucide-react";
import { Initials } from "../initials.tsx";
import { ownerName, useTeamStore } from "../team.ts";
import { peopleTexts as text } from "../texts.ts";
import { useOwnRights } from "./own-rights.ts";

interface Props {
  session: SessionInfo;
  onShare(): void;
}

export function SessionBadge({ session, onShare }: Props) {
  useOwnRights(session);
  const team = useTeamStore((store) => store.team);
  if (team === null || team.me === null) return null;
  const name = ownerName(session, team);
  if (session.owner !== team.me.id)
    return (
      <span title={text.sessionOf(name)} className="flex shrink-0 items-center">
        <Initials name={name} />
        <span className="sr-only">{text.sessionOf(name)}</span>
      </span>
    );
  const { team: wide = null, grants = [] } = session.access ?? {};
  if (wide === null && grants.length === 0) return null;
  const Icon = wide === "watch" && grants.length === 0 ? Eye : Users;
  const label =
    wide === null ? text.sharedWith(grants.length) : wide === "watch" ? text.teamWatches : text.teamDrives;
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={onShare}
      className="flex h-6 shrink-0 items-center gap-1.5 rounded-sm border border-line px-1.5 text-xs text-muted hover:bg-hover hover:text-ink phone:size-11 phone:justify-center phone:border-0"
    >
      <Icon size={12} aria-hidden />
      <span className="phone:hidden @max-[48rem]/session:hidden">{text.shared}</span>
    </button>
  );
}

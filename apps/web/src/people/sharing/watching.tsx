// In place of the composer, for those who may only watch.
import type { SessionInfo } from "@patchbay/protocol";
import { Eye } from "lucide-react";
import { ownerName, useTeamStore } from "../team.ts";
import { peopleTexts as text } from "../texts.ts";

export function Watching({ session }: { session: SessionInfo }) {
  const team = useTeamStore((store) => store.team);
  return (
    <p
      role="status"
      className="flex min-h-12 items-center gap-2.5 rounded-lg border border-line bg-sunken px-3.5 text-sm text-muted"
    >
      <Eye size={15} aria-hidden className="shrink-0 text-faint" />
      {text.watching(ownerName(session, team))}
    </p>
  );
}

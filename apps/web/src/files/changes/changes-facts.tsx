// How much has changed, on which branch, and since when; and the way to look again.
import type { SessionInfo } from "@patchbay/protocol";
import { GitBranch, RefreshCw } from "lucide-react";
import { shortDirectory } from "../../format/path.ts";
import { formatClock, formatExact } from "../../format/time.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import type { SessionChanges } from "../api.ts";
import { filesTexts } from "../texts.ts";

interface Props {
  session: SessionInfo;
  changes: SessionChanges | null;
  onRefresh(): void;
}

export const ChangesFacts = ({ session, changes, onRefresh }: Props) => (
  <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line pr-2 pl-3 phone:h-11">
    {changes !== null && <Facts session={session} changes={changes} />}
    <span className="ml-auto">
      <IconButton label={filesTexts.refresh} onClick={onRefresh}>
        <RefreshCw size={14} aria-hidden />
      </IconButton>
    </span>
  </div>
);

function Facts({ session, changes }: { session: SessionInfo; changes: SessionChanges }) {
  const added = changes.files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = changes.files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  return (
    <p className="flex min-w-0 items-center gap-2 text-xs text-faint">
      {added + removed > 0 && (
        <span className="shrink-0 font-mono tabular-nums">
          <span className="text-added-ink">+{added}</span>{" "}
          <span className="text-removed-ink">−{removed}</span>
        </span>
      )}
      {changes.branch !== null && (
        <span className="flex min-w-0 shrink items-center gap-1 font-mono">
          <GitBranch size={12} aria-hidden className="shrink-0" />
          <span className="truncate">{changes.branch}</span>
        </span>
      )}
      <span
        title={filesTexts.comparedWith(session.cwd, formatExact(changes.since))}
        className="min-w-0 truncate"
      >
        {shortDirectory(session.cwd)} · {filesTexts.since(formatClock(changes.since))}
      </span>
    </p>
  );
}

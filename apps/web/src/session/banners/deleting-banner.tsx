// The open session is being deleted: it can still be restored.
import type { SessionInfo } from "@patchbay/protocol";
import { restore } from "../../session-actions/actions.ts";
import { attempt } from "../../ui/feedback/attempt.ts";
import { bannersTexts } from "./texts.ts";

export function DeletingBanner({ session }: { session: SessionInfo }) {
  if (session.deletes_at === undefined) return null;
  return (
    <p
      role="status"
      className="flex animate-appear items-center gap-3 border-b border-line bg-needs-soft px-5 py-1.5 text-sm phone:px-4"
    >
      <span className="min-w-0 flex-1 text-muted">{bannersTexts.deleting}</span>
      <button
        type="button"
        onClick={() => attempt(restore(session))}
        className="h-7 rounded-md px-2 font-medium text-accent hover:bg-hover phone:h-11"
      >
        {bannersTexts.keep}
      </button>
    </p>
  );
}

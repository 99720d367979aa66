// The line below the composer: what the agent can reach, what it may do without asking, and what extensions report.
import { useState } from "react";
import { Ansi } from "../code/terminal/ansi.tsx";
import { useCan } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { Picker } from "../ui/menu/picker.tsx";
import { approvalModes } from "./approval-modes.ts";
import { Modes } from "./modes.tsx";
import { SandboxPicker } from "./sandbox-picker.tsx";
import { useApprovals } from "./use-modes.ts";
import { useSandbox } from "./use-sandbox.ts";

export function ComposerFooter() {
  const statuses = useFeedState((feed) => feed.transcript.surface.statuses);
  const hasSandbox = useSandbox() !== undefined;
  const hasApprovals = useApprovals() !== undefined;
  const canChoose = [useCan("steer"), useCan("follow_up")].includes(true);
  if (!hasSandbox && !hasApprovals && !canChoose && statuses.length === 0) return null;
  return (
    <div className="mt-1 flex min-h-7 min-w-0 items-center gap-1">
      <SandboxPicker />
      <Approvals />
      {canChoose && <Modes />}
      <ul
        aria-label="Status"
        className="flex min-w-0 flex-1 flex-wrap justify-end gap-x-3 overflow-hidden px-1.5 text-xs text-faint"
      >
        {statuses.map((status) => (
          <li key={status.key} title={status.key} className="max-w-full truncate font-mono">
            <Ansi text={status.text} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Approvals() {
  const feed = useFeed();
  const mode = useApprovals();
  const [problem, setProblem] = useState<string | null>(null);
  if (mode === undefined) return null;
  const choose = (wanted: string): void => {
    setProblem(null);
    feed
      .ask({ type: "set_approval_mode", mode: wanted })
      .catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <>
      <Picker label="Approvals" value={mode} choices={approvalModes} onChoose={choose} />
      {problem !== null && (
        <span role="alert" className="truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}

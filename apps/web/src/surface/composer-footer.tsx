// The line below the composer: how much the agent may do by itself, and what extensions report.
import { ShieldAlert, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { inWords } from "../api/call.ts";
import { useCan, useTextSetting } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { Ansi } from "../transcript/tools/ansi.tsx";
import { Picker } from "../ui/picker.tsx";
import { approvalModes } from "./approval-modes.ts";
import { Modes } from "./modes.tsx";

export function ComposerFooter() {
  const statuses = useFeedState((feed) => feed.transcript.surface.statuses);
  const canApprove = useCan("approvals");
  const canChoose = [useCan("steer"), useCan("follow_up"), useCan("jail")].includes(true);
  if (!canApprove && !canChoose && statuses.length === 0) return null;
  return (
    <div className="mt-1 flex min-h-7 min-w-0 items-center gap-1">
      {canApprove && <Approvals />}
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
  const mode = useTextSetting("approval_mode");
  const [problem, setProblem] = useState<string | null>(null);
  if (mode === undefined) return null;
  const Icon = mode === "full" ? ShieldAlert : ShieldCheck;
  const choose = (wanted: string): void => {
    setProblem(null);
    feed
      .ask({ type: "set_approval_mode", mode: wanted })
      .catch((error: unknown) => setProblem(inWords(error)));
  };
  return (
    <>
      <Picker
        label="Approvals"
        value={mode}
        choices={approvalModes}
        onChoose={choose}
        icon={<Icon size={14} aria-hidden className="shrink-0 text-faint" />}
      />
      {problem !== null && (
        <span role="alert" className="truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}

// The line below the composer: what the agent can reach, what it may do without asking, and what extensions report.
import { useState } from "react";
import { useCan } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { Statuses, useHasStatuses } from "../extension-ui/statuses.tsx";
import { errorMessage } from "../format/error-message.ts";
import { approvalModes } from "../safety/approval-modes.ts";
import { Picker } from "../ui/menu/picker.tsx";
import { AgentModePicker, useAgentModes } from "./agent-mode-picker.tsx";
import { ModesMenu } from "./modes-menu.tsx";
import { PermissionsMenuItem } from "./permissions/permissions-item.tsx";
import { SandboxPicker } from "./sandbox-picker.tsx";
import { controlsTexts } from "./texts.ts";
import { useApprovals } from "./use-modes.ts";
import { useSandbox } from "./use-sandbox.ts";

export function ComposerFooter() {
  const hasStatuses = useHasStatuses();
  const hasSandbox = useSandbox() !== undefined;
  const hasApprovals = useApprovals() !== undefined;
  const canChoose = [useCan("steer"), useCan("follow_up")].includes(true);
  const hasModes = useAgentModes().length > 0;
  if (!hasSandbox && !hasApprovals && !hasModes && !canChoose && !hasStatuses) return null;
  return (
    <div className="mt-1 flex min-h-7 min-w-0 items-center gap-1">
      <SandboxPicker />
      <Approvals />
      <AgentModePicker />
      {canChoose && <ModesMenu />}
      <NextPromptNote />
      <Statuses />
    </div>
  );
}

/** A stopped agent keeps its controls; what they say holds when it is started, which an agent that restores its settings ensures. */
function NextPromptNote() {
  const restores = useCan("settings");
  const asleep = useFeedState(({ session }) => session?.state === "stopped" || session?.state === "failed");
  if (!restores || !asleep) return null;
  return <span className="truncate px-1.5 text-xs text-faint">{controlsTexts.appliesNext}</span>;
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
      <Picker label={controlsTexts.approvals} value={mode} choices={approvalModes()} onChoose={choose}>
        <PermissionsMenuItem />
      </Picker>
      {problem !== null && (
        <span role="alert" className="truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}

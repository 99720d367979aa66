// What is in the line below the composer.
import { useState } from "react";
import { useCan } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { Statuses } from "../extension-ui/statuses.tsx";
import { errorMessage } from "../format/error-message.ts";
import { approvalModes } from "../safety/approval-modes.ts";
import { Picker } from "../ui/menu/picker.tsx";
import { AgentModePicker } from "./agent-mode-picker.tsx";
import { ModesMenu } from "./modes-menu.tsx";
import { PermissionsMenuItem } from "./permissions/permissions-item.tsx";
import { SandboxPicker } from "./sandbox-picker.tsx";
import { controlsTexts } from "./texts.ts";
import { useApprovals } from "./use-modes.ts";

/** `canChoose`: how messages reach an agent that works can be chosen. */
export default function FooterParts({ canChoose }: { canChoose: boolean }) {
  return (
    <>
      <SandboxPicker />
      <Approvals />
      <AgentModePicker />
      {canChoose && <ModesMenu />}
      <NextPromptNote />
      <Statuses />
    </>
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

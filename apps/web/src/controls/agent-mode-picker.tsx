// The mode of a foreign agent (to plan, to build), where it has some. Its names are the agent's own.
import { useState } from "react";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import { Picker } from "../ui/menu/picker.tsx";
import { controlsTexts } from "./texts.ts";
import { useAgentModes } from "./use-modes.ts";

export function AgentModePicker() {
  const feed = useFeed();
  const modes = useAgentModes();
  const mode = useFeedState(({ transcript }) => transcript.surface.settings?.agent_mode);
  const [problem, setProblem] = useState<string | null>(null);
  if (modes.length === 0 || mode === undefined) return null;
  const choose = (wanted: string): void => {
    setProblem(null);
    feed
      .ask({ type: "run_command", name: "mode", args: wanted })
      .catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <>
      <Picker
        label={controlsTexts.agentMode}
        value={mode}
        choices={modes.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={choose}
      />
      {problem !== null && (
        <span role="alert" className="truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}

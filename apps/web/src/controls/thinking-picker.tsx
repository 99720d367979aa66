// How long the model may think before it answers.
import { thinkingLevels } from "@patchbay/protocol";
import { Brain } from "lucide-react";
import { useState } from "react";
import { useCan, useTextSetting } from "../connection/use-can.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { errorMessage } from "../format/error-message.ts";
import type { Choice } from "../ui/menu/menu.tsx";
import { Picker } from "../ui/menu/picker.tsx";
import { controlsTexts } from "./texts.ts";
import { thinkingName } from "./thinking-name.ts";

/** Those that the agent has; one that does not say has all. */
export const useThinkingLevels = (): readonly string[] =>
  useFeedState(({ transcript }) => transcript.surface.settings?.thinking_levels) ?? thinkingLevels;

const choicesOf = (levels: readonly string[]): Choice[] =>
  levels.map((value) => {
    const detail =
      value === "off" ? controlsTexts.offDetail : value === "max" ? controlsTexts.maximumDetail : undefined;
    return { value, label: thinkingName(value), ...(detail === undefined ? {} : { detail }) };
  });

export function ThinkingPicker() {
  const feed = useFeed();
  const can = useCan("thinking_levels");
  const level = useTextSetting("thinking_level");
  const levels = useThinkingLevels();
  const [problem, setProblem] = useState<string | null>(null);
  if (!can || level === undefined) return null;
  const choose = (wanted: string): void => {
    setProblem(null);
    feed
      .ask({ type: "set_thinking_level", level: wanted })
      .catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <>
      <Picker
        label={controlsTexts.thinking}
        value={level}
        choices={choicesOf(levels)}
        onChoose={choose}
        icon={<Brain size={14} aria-hidden className="shrink-0 text-faint" />}
      />
      {problem !== null && (
        <span role="alert" className="max-w-64 truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}

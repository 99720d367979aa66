// How long the model may think before it answers.
import { useState } from "react";
import { inWords } from "../api/call.ts";
import { useCan, useTextSetting } from "../connection/use-can.ts";
import { useFeed } from "../connection/use-feed.ts";
import { type Choice, Picker } from "../ui/picker.tsx";

const levels: readonly Choice[] = [
  { value: "off", label: "No thinking" },
  { value: "minimal", label: "Think minimally" },
  { value: "low", label: "Think a little" },
  { value: "medium", label: "Think" },
  { value: "high", label: "Think hard" },
  { value: "xhigh", label: "Think hardest" },
];

export function ThinkingPicker() {
  const feed = useFeed();
  const can = useCan("thinking_levels");
  const level = useTextSetting("thinking_level");
  const [problem, setProblem] = useState<string | null>(null);
  if (!can || level === undefined) return null;
  const choose = (wanted: string): void => {
    setProblem(null);
    feed
      .ask({ type: "set_thinking_level", level: wanted })
      .catch((error: unknown) => setProblem(inWords(error)));
  };
  return (
    <>
      <Picker label="Thinking" value={level} choices={levels} onChoose={choose} />
      {problem !== null && (
        <span role="alert" className="max-w-64 truncate text-xs text-failed" title={problem}>
          {problem}
        </span>
      )}
    </>
  );
}

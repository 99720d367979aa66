// A line that floats at the foot of the screen (of a phone: at its top, where no answer lies under it): something went wrong that no place on it could show.
import { X } from "lucide-react";
import { useEffect } from "react";
import { IconButton } from "../icon-button.tsx";
import { uiTexts } from "../texts.ts";
import { useProblem } from "./problem.ts";

/** Long enough to read a sentence twice. */
const shownMs = 8_000;

export function ProblemToast() {
  const text = useProblem((problem) => problem.text);
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(() => useProblem.setState({ text: null }), shownMs);
    return () => clearTimeout(timer);
  }, [text]);
  if (text === null) return null;
  return (
    <p
      role="alert"
      className="fixed bottom-[calc(var(--covered)+1rem)] left-1/2 z-50 flex max-w-[min(520px,calc(100vw-32px))] -translate-x-1/2 animate-appear items-center gap-2 rounded-md bg-panel py-1 pr-1 pl-3.5 text-sm text-failed shadow-float phone:top-[max(1rem,env(safe-area-inset-top))] phone:bottom-auto"
    >
      <span className="min-w-0 flex-1">{text}</span>
      <IconButton label={uiTexts.close} onClick={() => useProblem.setState({ text: null })}>
        <X size={15} aria-hidden />
      </IconButton>
    </p>
  );
}

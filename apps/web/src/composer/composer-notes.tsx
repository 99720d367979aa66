// The lines at the foot of the composer: why something was refused, that the agent is being stopped and has
// stopped, and that an extension replaced the text.

import type { StopPhase } from "./stop.ts";
import { composerTexts } from "./texts.ts";
import type { Replaced } from "./use-editor-texts.ts";

interface Props {
  problem: string | null;
  phase: StopPhase;
  replaced: Replaced | null;
  onUndo(): void;
}

export function ComposerNotes({ problem, phase, replaced, onUndo }: Props) {
  return (
    <>
      <p role="alert" className={problem === null ? "sr-only" : "px-3.5 pb-2 text-xs text-failed"}>
        {problem}
      </p>
      <p role="status" className={phase === "none" ? "sr-only" : "px-3.5 pb-2 text-xs text-muted"}>
        {phase === "none" ? "" : composerTexts[phase]}
      </p>
      {replaced !== null && (
        <p className="flex items-center gap-2 px-3.5 pb-2 text-xs text-muted">
          <span className="min-w-0 truncate">{composerTexts.replacedBy(replaced.source)}</span>
          <button
            type="button"
            onClick={onUndo}
            className="shrink-0 rounded-sm font-medium text-accent hover:underline phone:min-h-11 phone:px-2"
          >
            {composerTexts.undo}
          </button>
        </p>
      )}
    </>
  );
}

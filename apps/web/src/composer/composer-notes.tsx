// The lines at the foot of the composer: why something was refused, and that an extension replaced the text.
import type { Replaced } from "./editor-text.ts";

interface Props {
  problem: string | null;
  replaced: Replaced | null;
  onUndo(): void;
}

export function ComposerNotes({ problem, replaced, onUndo }: Props) {
  return (
    <>
      <p role="alert" className={problem === null ? "sr-only" : "px-3.5 pb-2 text-xs text-failed"}>
        {problem}
      </p>
      {replaced !== null && (
        <p className="flex items-center gap-2 px-3.5 pb-2 text-xs text-muted">
          <span className="min-w-0 truncate">{replaced.source} replaced what was written here.</span>
          <button
            type="button"
            onClick={onUndo}
            className="shrink-0 rounded-sm font-medium text-accent hover:underline phone:min-h-11 phone:px-2"
          >
            Undo
          </button>
        </p>
      )}
    </>
  );
}

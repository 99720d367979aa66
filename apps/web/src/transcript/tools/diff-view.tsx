// A file edit, line by line. Signs stand in their own column, so that copying takes only the text.
import { memo } from "react";
import type { DiffLine } from "./diff-lines.ts";

const looks: Readonly<Record<DiffLine["kind"], { sign: string; row: string; ink: string }>> = {
  added: { sign: "+", row: "bg-added", ink: "text-added-ink" },
  removed: { sign: "−", row: "bg-removed", ink: "text-removed-ink" },
  same: { sign: " ", row: "", ink: "text-muted" },
  gap: { sign: "⋯", row: "", ink: "text-faint" },
};

export const DiffView = memo(function DiffView({ lines }: { lines: readonly DiffLine[] }) {
  const widest = lines.reduce((most, { number = 0 }) => Math.max(most, number), 0);
  return (
    <div
      // What scrolls must scroll with the keyboard
      tabIndex={0}
      role="group"
      aria-label="Changes"
      className="max-h-96 overflow-auto py-1.5 font-mono text-xs leading-5"
    >
      <div className="w-max min-w-full">
        {lines.map((line, index) => {
          const look = looks[line.kind];
          return (
            // The lines of a diff never change
            <div key={index} className={`flex min-h-5 ${look.row} ${look.ink}`}>
              {widest > 0 && (
                <span
                  aria-hidden
                  style={{ width: `${String(widest).length + 1}ch` }}
                  className="ml-2 shrink-0 text-right text-faint tabular-nums select-none"
                >
                  {line.number}
                </span>
              )}
              <span aria-hidden className="w-7 shrink-0 text-center select-none">
                {look.sign}
              </span>
              <span className="pr-10 whitespace-pre">{line.text}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
});

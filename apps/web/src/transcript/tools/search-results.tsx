// What a search found: the files, and under each its lines. Lists of paths are shown as they came.
import { memo, useMemo } from "react";
import { PathLink } from "../../code/file-links.tsx";
import { Note, Terminal } from "./card-parts.tsx";
import { readFound } from "./found-lines.ts";
import { toolsTexts as texts } from "./texts.ts";

export const SearchResults = memo(function SearchResults({
  output,
  running,
}: {
  output: string;
  running: boolean;
}) {
  const found = useMemo(() => readFound(output), [output]);
  if (found === null) return <Terminal text={output} waiting={running} />;
  return (
    <>
      <div
        // What scrolls must scroll with the keyboard
        tabIndex={0}
        role="group"
        aria-label={texts.matches}
        className="max-h-96 overflow-auto py-1 font-mono text-xs leading-5"
      >
        {found.files.map(({ path, lines }, at) => (
          // What was found never changes
          <section key={at} className="py-1">
            <h4 className="sticky top-0 left-0 flex w-max min-w-full items-baseline gap-2 bg-sunken px-3 text-ink">
              <PathLink path={path} line={lines.find(({ match }) => match)?.number ?? null}>
                {path}
              </PathLink>
              <span className="font-sans text-faint">
                {texts.matchCount(lines.filter(({ match }) => match).length)}
              </span>
            </h4>
            {lines.map(({ number, text, match }) => (
              <div
                key={number}
                className={`flex w-max min-w-full pr-10 pl-3 ${match ? "text-muted" : "text-faint"}`}
              >
                <span className="w-10 shrink-0 pr-3 text-right text-faint tabular-nums select-none">
                  <PathLink path={path} line={number}>
                    {number}
                  </PathLink>
                </span>
                <span className="whitespace-pre">{text}</span>
              </div>
            ))}
          </section>
        ))}
      </div>
      {found.notes.map((note) => (
        <Note key={note}>{note}</Note>
      ))}
    </>
  );
});

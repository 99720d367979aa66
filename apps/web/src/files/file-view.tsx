// One file, to be read; at a line, if a link names one.
import { FileDiff } from "lucide-react";
import { useEffect, useRef } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { Code } from "../code/code-block.tsx";
import { languageOf } from "../code/language.ts";
import { formatBytes } from "../format/bytes.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { readFileText } from "./api.ts";
import { FileHeading } from "./file-heading.tsx";
import { filesTexts } from "./texts.ts";

/** As the classes `leading-5` and `py-3` have them, in rem. */
const lineHeight = 1.25;
const spaceAbove = 0.75;

interface Props {
  session: string;
  path: string;
  line: number | null;
  edition: number;
  onBack(): void;
  /** Null: it has not changed. */
  onShowChanges: (() => void) | null;
}

export function FileView({ session, path, line, edition, onBack, onShowChanges }: Props) {
  const { data, error } = useFetched(`${edition} ${path}`, async () => ({
    path,
    ...(await readFileText(session, path)),
  }));
  const shown = data?.path === path ? data : null;
  return (
    <>
      <FileHeading path={path} onBack={onBack}>
        {shown !== null && <span className="px-1 text-xs text-faint">{formatBytes(shown.bytes)}</span>}
        {onShowChanges !== null && (
          <IconButton label={filesTexts.openChanges} onClick={onShowChanges}>
            <FileDiff size={15} aria-hidden />
          </IconButton>
        )}
      </FileHeading>
      {error !== null && (
        <p role="alert" className="p-4 text-sm text-failed">
          {error}
        </p>
      )}
      {shown !== null && shown.text === null && (
        <p className="p-4 text-sm text-muted">{filesTexts.notText}</p>
      )}
      {shown !== null && shown.text !== null && (
        <div className="relative flex w-max min-w-full py-3">
          {line !== null && <LineMark key={`${path} ${line}`} line={Math.min(line, linesOf(shown.text))} />}
          <LineNumbers text={shown.text} />
          <Code code={shown.text} language={languageOf(path)} settled className="relative pr-8" />
        </div>
      )}
      {shown?.more === true && <p className="p-4 text-sm text-muted">{filesTexts.firstMebibyte}</p>}
    </>
  );
}

/** Behind the line that a link names, which it brings into view. */
function LineMark({ line }: { line: number }) {
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: "center", inline: "start" }); // Chromium returns a promise, which is no cleanup
  }, []);
  return (
    <div
      ref={mark}
      aria-hidden
      data-line={line}
      style={{ top: `${spaceAbove + (line - 1) * lineHeight}rem` }}
      className="absolute inset-x-0 h-5 border-l-2 border-fill bg-needs-soft"
    />
  );
}

const linesOf = (text: string): number => text.replace(/\n$/, "").split("\n").length;

/** In one piece, so that a long file costs no element per line; and not copied along. */
function LineNumbers({ text }: { text: string }) {
  return (
    <pre
      aria-hidden
      className="relative shrink-0 pr-4 pl-4 text-right font-mono text-[0.8125rem] leading-5 text-faint tabular-nums select-none phone:pr-3 phone:pl-3"
    >
      {Array.from({ length: linesOf(text) }, (_, line) => line + 1).join("\n")}
    </pre>
  );
}

// The session's directory, to be read.
import { ChevronLeft, File, Folder, Link2 } from "lucide-react";
import { useState } from "react";
import { useFetched } from "../api/http/use-fetched.ts";
import { Code } from "../code/code-block.tsx";
import { languageOf } from "../code/language.ts";
import { formatBytes } from "../format/bytes.ts";
import { type DirectoryEntry, listFiles, readFileText } from "./api.ts";

export function Browser({ session, look }: { session: string; look: number }) {
  const [directory, setDirectory] = useState("");
  const [file, setFile] = useState<string | null>(null);
  const listing = useFetched(`${look} ${directory}`, () => listFiles(session, directory));
  const inside = (name: string): string => (directory === "" ? name : `${directory}/${name}`);
  const open = ({ name, kind }: DirectoryEntry): void => {
    if (kind === "directory") setDirectory(inside(name));
    else setFile(inside(name));
  };
  return (
    <div className="flex min-h-0 flex-1">
      <nav
        aria-label="Files"
        className={`w-[320px] shrink-0 overflow-y-auto border-r border-line py-2 phone:w-full phone:border-r-0 phone:pb-20 ${file === null ? "" : "phone:hidden"}`}
      >
        {directory !== "" && (
          <button
            type="button"
            onClick={() => setDirectory(directory.split("/").slice(0, -1).join("/"))}
            className="flex h-7 w-full items-center gap-2 px-3 text-left font-mono text-xs text-muted hover:bg-hover phone:h-11"
          >
            <ChevronLeft size={13} aria-hidden /> {directory}
          </button>
        )}
        {listing.error !== null && (
          <p role="alert" className="px-3 py-2 text-sm text-failed">
            {listing.error}
          </p>
        )}
        <ul>
          {listing.data?.entries.map((entry) => (
            <li key={entry.name}>
              <button
                type="button"
                disabled={entry.kind === "other"}
                aria-current={inside(entry.name) === file ? "true" : undefined}
                onClick={() => open(entry)}
                className={`flex h-7 w-full items-center gap-2 px-3 text-left text-sm phone:h-11 ${inside(entry.name) === file ? "bg-selected text-ink" : "text-muted hover:bg-hover hover:text-ink"}`}
              >
                <Icon kind={entry.kind} />
                <span className="min-w-0 flex-1 truncate">{entry.name}</span>
                {entry.bytes !== undefined && (
                  <span className="shrink-0 text-xs text-faint tabular-nums">{formatBytes(entry.bytes)}</span>
                )}
              </button>
            </li>
          ))}
        </ul>
        {listing.data?.more === true && (
          <p className="px-3 py-2 text-sm text-faint">There are more; these are the first 2,000.</p>
        )}
      </nav>
      <div className={`min-w-0 flex-1 overflow-auto phone:pb-20 ${file === null ? "phone:hidden" : ""}`}>
        {file === null ? (
          <p className="p-6 text-sm text-muted">Choose a file to read it. Nothing here can be changed.</p>
        ) : (
          <FileText session={session} path={file} look={look} onBack={() => setFile(null)} />
        )}
      </div>
    </div>
  );
}

/** In one piece, so that a long file costs no element per line; and not copied along. */
function LineNumbers({ text }: { text: string }) {
  const lines = text.replace(/\n$/, "").split("\n").length;
  return (
    <pre
      aria-hidden
      className="sticky left-0 shrink-0 bg-canvas pr-4 pl-4 text-right font-mono text-[0.8125rem] leading-5 text-faint tabular-nums select-none phone:pr-3 phone:pl-3"
    >
      {Array.from({ length: lines }, (_, line) => line + 1).join("\n")}
    </pre>
  );
}

function Icon({ kind }: { kind: string }) {
  const Shape = kind === "directory" ? Folder : kind === "link" ? Link2 : File;
  return <Shape size={13} aria-hidden className="shrink-0 text-faint" />;
}

interface TextProps {
  session: string;
  path: string;
  look: number;
  onBack(): void;
}

function FileText({ session, path, look, onBack }: TextProps) {
  const { data, error } = useFetched(`${look} ${path}`, async () => ({
    path,
    ...(await readFileText(session, path)),
  }));
  const shown = data?.path === path ? data : null;
  return (
    <>
      <h2 className="sticky top-0 left-0 z-10 flex h-10 items-center gap-2 border-b border-line bg-panel px-4 font-mono text-sm phone:px-1">
        <button
          type="button"
          aria-label="Back to the files"
          onClick={onBack}
          className="hidden size-10 items-center justify-center phone:flex"
        >
          <ChevronLeft size={18} aria-hidden />
        </button>
        <span className="min-w-0 truncate">{path}</span>
        {shown !== null && (
          <span className="ml-auto pr-1 text-xs text-faint">{formatBytes(shown.bytes)}</span>
        )}
      </h2>
      {error !== null && (
        <p role="alert" className="p-4 text-sm text-failed">
          {error}
        </p>
      )}
      {shown !== null && shown.text === null && <p className="p-4 text-sm text-muted">Not a text.</p>}
      {shown !== null && shown.text !== null && (
        <div className="flex w-max min-w-full py-3">
          <LineNumbers text={shown.text} />
          <Code code={shown.text} language={languageOf(path)} settled className="pr-8" />
        </div>
      )}
      {shown?.more === true && <p className="p-4 text-sm text-muted">This is the first mebibyte of it.</p>}
    </>
  );
}

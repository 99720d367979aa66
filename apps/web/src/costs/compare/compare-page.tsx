// A provider's usage export beside what the ledger says: where they differ, by UTC day and model. The server reads the file and keeps
// nothing of it; several files of one provider become one comparison.
import { Reconciliation } from "@patchbay/protocol";
import { ArrowLeft, FileUp } from "lucide-react";
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import * as z from "zod/mini";
import { uploadFile } from "../../api/http/call.ts";
import { errorMessage } from "../../format/error-message.ts";
import { usePageTitle } from "../../navigation/page-title.ts";
import { Button } from "../../ui/button.tsx";
import { ComparedRows } from "./compared-rows.tsx";
import { ComparedTotals } from "./compared-totals.tsx";
import { canMerge, merge } from "./merge.ts";
import { compareTexts } from "./texts.ts";

const Body = z.object({ reconciliation: Reconciliation });

export default function ComparePage() {
  const [found, setFound] = useState<Reconciliation | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  useEffect(() => {
    usePageTitle.setState({ title: compareTexts.pageTitle });
    return () => usePageTitle.setState({ title: "Patchbay" });
  }, []);

  const compare = async (files: readonly File[]): Promise<void> => {
    setReading(true);
    setProblem(null);
    let sum = found;
    try {
      for (const file of files) {
        const { reconciliation } = await uploadFile("/api/costs/reconcile", file, Body);
        sum = sum !== null && canMerge(sum, reconciliation) ? merge(sum, reconciliation) : reconciliation;
        setFound(sum);
      }
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setReading(false);
    }
  };
  const pick = (files: readonly File[]): void => {
    if (files.length > 0 && !reading) void compare(files); // it shows its own problem
  };
  return (
    <FileTarget onFiles={pick}>
      <header className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line pr-3 pl-4 phone:pr-2 phone:pl-1">
        <Link
          href="/costs"
          aria-label={compareTexts.backToCosts}
          className="flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink phone:size-11"
        >
          <ArrowLeft size={16} aria-hidden />
        </Link>
        <h1 className="flex-1 truncate font-semibold tracking-[-0.01em]">{compareTexts.compare}</h1>
        {found !== null && (
          <>
            <Button look="quiet" onClick={() => setFound(null)}>
              {compareTexts.startOver}
            </Button>
            <Chooser look="plain" reading={reading} onFiles={pick}>
              {compareTexts.chooseMore}
            </Chooser>
          </>
        )}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-[1240px] px-6 pt-5 pb-10 phone:px-3 phone:pt-3">
          {problem !== null && (
            <p
              role="alert"
              className="mb-4 rounded-md border border-failed/40 bg-failed-soft px-4 py-2.5 text-sm [overflow-wrap:anywhere] phone:px-3"
            >
              {problem}
            </p>
          )}
          {found === null ? (
            <Start reading={reading} onFiles={pick} />
          ) : (
            <div aria-busy={reading} className={reading ? "opacity-60" : ""}>
              <ComparedTotals found={found} />
              <ComparedRows key={`${found.format} ${found.from} ${found.to}`} found={found} />
            </div>
          )}
        </div>
      </div>
    </FileTarget>
  );
}

const Start = ({ reading, onFiles }: { reading: boolean; onFiles(files: readonly File[]): void }) => (
  <div className="mx-auto max-w-[720px]">
    <p className="mb-4 text-sm text-muted">{compareTexts.intro}</p>
    <div className="flex flex-col items-center gap-3 rounded-md border border-dashed border-edge bg-panel px-6 py-12 text-center phone:px-4 phone:py-8">
      <FileUp size={22} aria-hidden className="text-faint" />
      <p className="text-sm font-medium phone:hidden">{compareTexts.drop}</p>
      <Chooser look="primary" reading={reading} onFiles={onFiles}>
        {reading ? compareTexts.reading : compareTexts.choose}
      </Chooser>
    </div>
    <h2 className="mt-6 mb-2 text-sm font-medium">{compareTexts.accepted}</h2>
    <ul className="list-disc space-y-1 pl-5 text-sm text-muted">
      <li>{compareTexts.anthropicFiles}</li>
      <li>{compareTexts.openaiFiles}</li>
    </ul>
    <p className="mt-3 text-sm text-muted">
      {compareTexts.both} {compareTexts.utcDays}
    </p>
  </div>
);

interface ChooserProps {
  look: "primary" | "plain";
  reading: boolean;
  onFiles(files: readonly File[]): void;
  children: ReactNode;
}

function Chooser({ look, reading, onFiles, children }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept=".csv,.json,.tsv,.txt,text/csv,application/json"
        aria-label={compareTexts.choose}
        className="hidden"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = ""; // the same file can be chosen again
        }}
      />
      <Button look={look} disabled={reading} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}

/** The whole page takes dropped files. */
function FileTarget({ onFiles, children }: { onFiles(files: readonly File[]): void; children: ReactNode }) {
  const [hovers, setHovers] = useState(false);
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- for pointers; files can be chosen by the button
    <div
      className="relative flex h-full min-h-0 flex-col"
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setHovers(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setHovers(false);
      }}
      onDrop={(event) => {
        setHovers(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {hovers && (
        <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center gap-2 rounded-lg border-2 border-dashed border-accent bg-canvas/85 text-sm font-medium text-accent">
          <FileUp size={16} aria-hidden /> {compareTexts.dropNow}
        </p>
      )}
    </div>
  );
}

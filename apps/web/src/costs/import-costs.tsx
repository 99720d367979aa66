// Imports what was spent outside of Patchbay into the ledger, and shows the result.
import { CostImport, type ImportedSums } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { call } from "../api/http/call.ts";
import { agentName } from "../format/agent-name.ts";
import { errorMessage } from "../format/error-message.ts";
import { formatCost } from "../format/money.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { costCardTexts } from "./cards/texts.ts";

const ImportBody = z.object({ import: z.nullable(CostImport) });
const path = "/api/imports/costs";
const lookMs = 500;

interface Props {
  open: boolean;
  onClose(): void;
  /** There may be other numbers now. */
  onDone(): void;
}

export function ImportCosts({ open, onClose, onDone }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={costCardTexts.importCosts}
      description={costCardTexts.importDescription}
    >
      <Content onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function Content({ onClose, onDone }: Omit<Props, "open">) {
  const [report, setReport] = useState<CostImport | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = report?.state === "running";

  const ask = (method: "GET" | "POST"): void => {
    call(path, ImportBody, method === "GET" ? {} : { method, body: {} }).then(
      ({ import: newest }) => {
        setReport(newest);
        if (newest?.state === "done") onDone();
      },
      (error: unknown) => {
        setReport(null);
        setProblem(errorMessage(error));
      },
    );
  };

  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => ask("GET"), lookMs);
    return () => clearTimeout(timer);
  });

  const failed =
    problem ?? (report?.state === "failed" ? (report.error ?? costCardTexts.importFailed) : null);
  return (
    <div className="flex flex-col gap-4">
      {report !== null && <Report report={report} />}
      {failed !== null && (
        <p role="alert" className="text-sm text-failed">
          {failed}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onClose}>
          {report?.state === "done" ? costCardTexts.close : costCardTexts.cancel}
        </Button>
        {report?.state !== "done" && (
          <Button
            look="primary"
            disabled={running}
            onClick={() => {
              setProblem(null);
              ask("POST");
            }}
          >
            {running ? costCardTexts.importing : costCardTexts.import}
          </Button>
        )}
      </div>
    </div>
  );
}

function Report({ report: { programs, problems, state } }: { report: CostImport }) {
  if (programs.length === 0)
    return (
      <p role="status" className="text-sm text-muted">
        {state === "running" ? costCardTexts.searchingFiles : costCardTexts.noFilesFound}
      </p>
    );
  return (
    <div role="status" className="overflow-hidden rounded-md border border-line">
      {programs.map((sums) => (
        <div
          key={sums.program}
          className="flex items-baseline gap-3 border-b border-line px-3 py-2 text-sm last:border-b-0"
        >
          <span className="w-24 shrink-0 font-medium">{agentName(sums.program)}</span>
          <span className="min-w-0 flex-1 text-muted">{factsOf(sums)}</span>
          <span className="shrink-0 font-mono tabular-nums">{sums.added === 0 ? "–" : formatCost(sums)}</span>
        </div>
      ))}
      {problems.length > 0 && (
        <p className="px-3 py-2 text-xs text-failed">
          {costCardTexts.unreadableFiles(
            problems.length,
            problems[0]?.path ?? "",
            problems[0]?.problem ?? "",
          )}
        </p>
      )}
    </div>
  );
}

function factsOf({ files, added, changed, known, own, unreadable }: ImportedSums): string {
  return [
    costCardTexts.files(files),
    costCardTexts.newCalls(added),
    ...(changed > 0 ? [costCardTexts.updated(changed)] : []),
    ...(known + own > 0 ? [costCardTexts.known(known + own)] : []),
    ...(unreadable > 0 ? [costCardTexts.unreadableLines(unreadable)] : []),
  ].join(" · ");
}

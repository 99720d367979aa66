// The bar above the costs: the range, and the ways out (budgets, exports).

import {
  CalendarRange,
  Download,
  Ellipsis,
  FileJson,
  FileSpreadsheet,
  FolderInput,
  Gauge,
  Image,
  Percent,
  Scale,
} from "lucide-react";
import { Popover } from "radix-ui";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { downloadFile } from "../api/http/download.ts";
import { BackToList } from "../navigation/back-to-list.tsx";
import { Button } from "../ui/button.tsx";
import { attempt } from "../ui/feedback/attempt.ts";
import { controlClass, Field } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuItem } from "../ui/menu/menu.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { costCardTexts } from "./cards/texts.ts";
import { presets, type View, writeView } from "./data/view.ts";
import { ImportCosts } from "./import-costs.tsx";
import { ReportMenu } from "./report/report-menu.tsx";
import { costsTexts } from "./texts.ts";

interface Props {
  view: View;
  today: string;
  onRange(from: string, to: string): void;
  exports: {
    csv: string;
    json: string;
    /** The address of a file with every single call. */
    calls(file: CallsFile): string;
    png: (() => void) | null;
  };
  /** There may be other numbers now. */
  onImported(): void;
}

const callsFiles = ["calls.csv", "calls.jsonl", "focus.csv"] as const;
type CallsFile = (typeof callsFiles)[number];
const callsTexts = {
  "calls.csv": "callsCsv",
  "calls.jsonl": "callsJson",
  "focus.csv": "focusCsv",
} as const;

const presetTexts = { today: "today", "7d": "days7", "30d": "days30" } as const;

export function CostsBar({ view, today, onRange, exports, onImported }: Props) {
  const [importing, setImporting] = useState(false);
  const [, navigate] = useLocation();
  const choices = presets.map((kind) => ({
    value: kind,
    label: costCardTexts[presetTexts[kind]],
    href: `/costs${writeView({ ...view, range: { kind } })}`,
  }));
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-3 border-b border-line pr-3 pl-6 phone:flex-wrap phone:gap-x-1 phone:gap-y-0 phone:pt-1.5 phone:pr-1 phone:pb-2 phone:pl-1">
      <BackToList />
      <h1 className="flex-1 font-semibold tracking-[-0.01em]">{costsTexts.costs}</h1>
      <div className="flex items-center gap-1 phone:order-1 phone:w-full phone:px-3">
        <Segmented
          label={costCardTexts.range}
          value={view.range.kind === "custom" ? null : view.range.kind}
          choices={choices}
        />
        <CustomRange view={view} today={today} onRange={onRange} />
      </div>
      <Link
        href="/costs/budgets"
        className="flex h-8 items-center gap-1.5 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-ink phone:h-11"
      >
        <Gauge size={15} aria-hidden /> {costsTexts.budgets}
      </Link>
      <ReportMenu today={today} />
      <Menu
        trigger={
          <IconButton label={costCardTexts.moreActions}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<FolderInput size={14} />} onSelect={() => setImporting(true)}>
          {costCardTexts.importCosts}
        </MenuItem>
        <MenuItem icon={<Scale size={14} />} onSelect={() => navigate("/costs/compare")}>
          {costCardTexts.compareBill}
        </MenuItem>
        <MenuItem icon={<Percent size={14} />} onSelect={() => navigate("/costs/settings")}>
          {costCardTexts.costSettings}
        </MenuItem>
      </Menu>
      <ImportCosts open={importing} onClose={() => setImporting(false)} onDone={onImported} />
      <Menu
        trigger={
          <IconButton label={costCardTexts.export}>
            <Download size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem
          icon={<FileSpreadsheet size={14} />}
          onSelect={() => attempt(downloadFile(exports.csv, "patchbay-costs.csv"))}
        >
          {costCardTexts.csvByDay}
        </MenuItem>
        <MenuItem
          icon={<FileJson size={14} />}
          onSelect={() => attempt(downloadFile(exports.json, "patchbay-costs.json"))}
        >
          {costCardTexts.jsonByDay}
        </MenuItem>
        {callsFiles.map((file) => (
          <MenuItem
            key={file}
            icon={file === "calls.jsonl" ? <FileJson size={14} /> : <FileSpreadsheet size={14} />}
            onSelect={() => attempt(downloadFile(exports.calls(file), `patchbay-${file}`))}
          >
            {costCardTexts[callsTexts[file]]}
          </MenuItem>
        ))}
        <MenuItem icon={<Image size={14} />} disabled={exports.png === null} onSelect={() => exports.png?.()}>
          {costCardTexts.pngOfChart}
        </MenuItem>
      </Menu>
    </header>
  );
}

function CustomRange({ view, today, onRange }: Pick<Props, "view" | "today" | "onRange">) {
  const { range } = view;
  const [open, setOpen] = useState(false);
  const [from, setFrom] = useState(range.kind === "custom" ? range.from : today);
  const [to, setTo] = useState(range.kind === "custom" ? range.to : today);
  const label =
    range.kind !== "custom"
      ? costCardTexts.custom
      : range.from === range.to
        ? range.from
        : `${range.from} – ${range.to}`;
  const change = (next: boolean): void => {
    setOpen(next);
    if (next && range.kind === "custom") {
      setFrom(range.from);
      setTo(range.to);
    }
  };
  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger
        className={`flex h-7 items-center gap-1.5 rounded-md border px-2 text-xs whitespace-nowrap tabular-nums hover:text-ink phone:h-11 phone:text-sm ${range.kind === "custom" ? "border-edge bg-selected text-ink" : "border-line text-muted"}`}
      >
        <CalendarRange size={13} aria-hidden /> {label}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          className="z-50 w-72 animate-appear rounded-md bg-panel p-4 shadow-float"
        >
          <form
            className="grid gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              if (from === "" || to === "") return;
              setOpen(false);
              onRange(from, to);
            }}
          >
            <Field label={costCardTexts.from}>
              {(control) => (
                <input
                  {...control}
                  type="date"
                  value={from}
                  max={today}
                  onChange={(event) => setFrom(event.target.value)}
                  className={controlClass}
                />
              )}
            </Field>
            <Field label={costCardTexts.to} hint={costCardTexts.bothDaysIncluded}>
              {(control) => (
                <input
                  {...control}
                  type="date"
                  value={to}
                  max={today}
                  onChange={(event) => setTo(event.target.value)}
                  className={controlClass}
                />
              )}
            </Field>
            <Button look="primary" type="submit">
              {costCardTexts.show}
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

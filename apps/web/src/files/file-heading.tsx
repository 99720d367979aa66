// Above a file: its path, whose end is always in view, and what can be done with it.
import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { CopyButton } from "../ui/feedback/copy-button.tsx";
import { filesTexts } from "./texts.ts";

interface Props {
  path: string;
  /** Only a phone has a list to go back to. */
  onBack(): void;
  children: ReactNode;
}

export const FileHeading = ({ path, onBack, children }: Props) => (
  <div className="sticky top-0 left-0 z-10 flex h-9 items-center gap-1 border-b border-line bg-panel pr-2 pl-3 phone:h-11 phone:px-1">
    <button
      type="button"
      aria-label={filesTexts.backToFiles}
      onClick={onBack}
      className="hidden size-11 shrink-0 items-center justify-center phone:flex"
    >
      <ChevronLeft size={18} aria-hidden />
    </button>
    <h2 title={path} className="min-w-0 truncate font-mono text-xs [direction:rtl]">
      <bdi>{path}</bdi>
    </h2>
    <CopyButton text={path} label={filesTexts.copyPath} />
    <span className="ml-auto flex shrink-0 items-center gap-1">{children}</span>
  </div>
);

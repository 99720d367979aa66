// The button of a combobox, before and after its list is loaded.
import { ChevronDown } from "lucide-react";

export const comboboxLook = {
  field:
    "flex h-9 w-full items-center justify-between rounded-md border border-edge bg-canvas px-3 text-left phone:h-11",
  inline:
    "flex h-7 min-w-0 items-center gap-1 rounded-md px-1.5 text-sm text-muted hover:bg-hover hover:text-ink phone:h-11",
} as const;

export const ComboboxButton = ({ shown }: { shown: string }) => (
  <>
    <span className="min-w-0 truncate">{shown}</span>
    <ChevronDown size={14} aria-hidden className="shrink-0 text-faint" />
  </>
);

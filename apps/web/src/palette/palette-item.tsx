// What a page of the palette is made of: an item, a heading above several, and a note in their place.
import { Command } from "cmdk";
import { Check } from "lucide-react";
import type { ReactNode } from "react";

interface ItemProps {
  /** Unique in its page, and never shown. */
  id: string;
  label: ReactNode;
  /** What else it is found by. */
  keywords?: string[];
  icon?: ReactNode;
  detail?: ReactNode;
  /** On a phone the detail is below: the label needs the whole line. */
  below?: boolean;
  /** The key that does the same. */
  shortcut?: string;
  onSelect(): void;
  /** Shown whatever is typed: the server has found it. */
  always?: boolean;
}

export const PaletteItem = ({
  id,
  label,
  keywords = [],
  icon,
  detail,
  below = false,
  shortcut,
  onSelect,
  always = false,
}: ItemProps) => (
  <Command.Item
    value={id}
    keywords={typeof label === "string" ? [label, ...keywords] : keywords}
    onSelect={onSelect}
    forceMount={always}
    className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm data-[selected=true]:bg-hover phone:min-h-12"
  >
    <span aria-hidden className="flex size-4 shrink-0 items-center justify-center text-faint">
      {icon}
    </span>
    <span
      className={`flex min-w-0 flex-1 items-center gap-2.5 ${below ? "phone:flex-col phone:items-start phone:gap-0 phone:py-1.5" : ""}`}
    >
      <span className="min-w-0 flex-1 truncate phone:max-w-full">{label}</span>
      {detail !== undefined && (
        <span
          className={`max-w-[45%] shrink-0 truncate text-xs text-faint ${below ? "phone:max-w-full" : ""}`}
        >
          {detail}
        </span>
      )}
    </span>
    {shortcut !== undefined && (
      <kbd className="shrink-0 rounded-sm border border-edge px-1 font-sans text-2xs text-faint phone:hidden">
        {shortcut}
      </kbd>
    )}
  </Command.Item>
);

export const PaletteGroup = ({
  title,
  children,
  always = false,
}: {
  title: string;
  children: ReactNode;
  always?: boolean;
}) => (
  <Command.Group
    heading={title}
    forceMount={always}
    className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
  >
    {children}
  </Command.Group>
);

/** Shown while there are no items, or when there cannot be any. */
export const PaletteNote = ({ children }: { children: string }) => (
  <Command.Loading className="px-3 py-6 text-center text-sm text-faint">{children}</Command.Loading>
);

/** The icon of the choice that holds now. */
export const Chosen = () => <Check size={14} aria-label="chosen" className="text-accent" />;

// A list of files and the one that is chosen: side by side where the pane is wide, one above the other where it is narrow,
// two screens on a phone.
import type { KeyboardEvent, ReactNode } from "react";

interface Props {
  label: string;
  list: ReactNode;
  /** A phone shows the file, and not the list. */
  picked: boolean;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  /** The file. */
  children: ReactNode;
}

export const ListAndFile = ({ label, list, picked, onKeyDown, children }: Props) => (
  <div className="flex min-h-0 flex-1 flex-col @2xl/pane:flex-row">
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the buttons in it */}
    <nav
      aria-label={label}
      onKeyDown={onKeyDown}
      className={`max-h-[40%] shrink-0 overflow-y-auto border-b border-line py-2 @2xl/pane:max-h-none @2xl/pane:w-64 @2xl/pane:border-r @2xl/pane:border-b-0 phone:max-h-none phone:w-full phone:flex-1 phone:border-0 ${picked ? "phone:hidden" : ""}`}
    >
      {list}
    </nav>
    <div className={`min-h-0 min-w-0 flex-1 overflow-auto ${picked ? "" : "phone:hidden"}`}>{children}</div>
  </div>
);

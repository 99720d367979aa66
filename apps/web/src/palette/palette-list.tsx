// The list of the palette: the items that fit, with the active one always in view.
import { useEffect, useRef } from "react";
import type { PaletteEntry, ShownGroup } from "./palette-registry.ts";
import { paletteTexts } from "./texts.ts";

interface Props {
  id: string;
  groups: readonly ShownGroup[];
  notes: readonly string[];
  active: PaletteEntry | undefined;
  onPoint(entry: PaletteEntry): void;
}

export const entryOptionId = (list: string, entry: PaletteEntry): string =>
  `${list} ${entry.id}`.replaceAll(" ", "-");

export function PaletteList({ id, groups, notes, active, onPoint }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const isFirst = active !== undefined && active === groups[0]?.entries[0];
  const activeOption = active === undefined ? "" : entryOptionId(id, active);
  useEffect(() => {
    if (isFirst)
      list.current?.scrollTo({ top: 0 }); // with the heading above it
    else document.getElementById(activeOption)?.scrollIntoView({ block: "nearest" });
  }, [activeOption, isFirst]);
  // A list that scrolls under a pointer at rest must not move the choice.
  const pointer = useRef("");
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={paletteTexts.results}
      className="max-h-[min(420px,calc(var(--seen)*0.6))] scroll-py-1.5 overflow-y-auto p-1.5 phone:h-[calc(var(--seen)-3.5rem-env(safe-area-inset-top))] phone:max-h-none"
    >
      {groups.map(({ title, entries }) => (
        <div key={title} role="group" aria-label={title === "" ? paletteTexts.results : title}>
          {title !== "" && (
            <div aria-hidden className="px-2.5 pt-2 pb-1 text-xs text-faint">
              {title}
            </div>
          )}
          {entries.map((entry) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
            <div
              key={entry.id}
              id={entryOptionId(id, entry)}
              role="option"
              tabIndex={-1}
              aria-selected={entry === active}
              onPointerMove={({ clientX, clientY }) => {
                const at = `${clientX} ${clientY}`;
                if (pointer.current !== "" && pointer.current !== at) onPoint(entry);
                pointer.current = at;
              }}
              onClick={entry.onSelect}
              className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm aria-selected:bg-hover phone:min-h-12"
            >
              {entry.render()}
            </div>
          ))}
        </div>
      ))}
      {groups.length === 0 && notes.length === 0 && (
        <p className="px-3 py-6 text-center text-sm text-faint">{paletteTexts.noMatches}</p>
      )}
      {notes.map((note) => (
        <p key={note} role="status" className="px-3 py-6 text-center text-sm text-faint">
          {note}
        </p>
      ))}
    </div>
  );
}

// What a page of the palette is made of: an item, a heading above several, and a note in their place. None of them shows
// anything itself: they put themselves into the registry, and palette-list.tsx shows what fits.
import { Check } from "lucide-react";
import { createContext, type ReactNode, useContext } from "react";
import { useRegistered } from "./palette-registry.ts";
import type { Ranked } from "./rank.ts";
import { paletteTexts } from "./texts.ts";

interface ItemProps {
  /** Unique in its page, and never shown. */
  id: string;
  label: ReactNode;
  /** What else it is found by; its name, where the label is not a text. */
  keywords?: string[];
  kind?: Ranked["kind"];
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

const GroupTitle = createContext("");

export function PaletteItem(props: ItemProps) {
  const { id, label, keywords = [], kind = "action", always = false, onSelect } = props;
  const group = useContext(GroupTitle);
  const isText = typeof label === "string";
  const mark = useRegistered({
    id,
    name: isText ? label : (keywords[0] ?? ""),
    keywords: isText ? keywords : keywords.slice(1),
    kind,
    group,
    always,
    onSelect,
    render: () => <ItemContent {...props} />,
  });
  return <span ref={mark} />;
}

const ItemContent = ({ label, icon, detail, below = false, shortcut }: ItemProps) => (
  <>
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
      <span className="flex shrink-0 gap-1 phone:hidden">
        {shortcut.split(" ").map((key) => (
          <kbd
            key={key}
            className="min-w-4.5 rounded-sm border border-edge px-1 text-center font-sans text-2xs text-faint"
          >
            {key}
          </kbd>
        ))}
      </span>
    )}
  </>
);

/** With one title per page. */
export const PaletteGroup = ({ title, children }: { title: string; children: ReactNode }) => (
  <GroupTitle value={title}>{children}</GroupTitle>
);

/** Shown while there are no items, or when there cannot be any. */
export const PaletteNote = ({ children }: { children: string }) => (
  <span ref={useRegistered({ id: "note", note: children })} />
);

/** The icon of the choice that holds now. */
export const Chosen = () => <Check size={14} aria-label={paletteTexts.chosen} className="text-accent" />;

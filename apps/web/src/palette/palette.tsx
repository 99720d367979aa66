// The palette: a field, and below it the items of the features (`children`) or of the page that one of them opened. The
// focus stays in the field, which has the keys.
import { ArrowLeft } from "lucide-react";
import { Dialog } from "radix-ui";
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useId,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { restoreFocus, setPaletteQuery, usePaletteQuery } from "../navigation/overlay.ts";
import { PaletteContext, type PaletteControls, type PalettePage } from "./palette-context.ts";
import { entryOptionId, PaletteList } from "./palette-list.tsx";
import {
  notesOf,
  type PaletteEntry,
  PaletteRegistry,
  RegistryContext,
  shownGroups,
} from "./palette-registry.ts";
import { paletteTexts } from "./texts.ts";

interface Props {
  onClose(): void;
  /** It opens with this page; null: with the first one. */
  start: PalettePage | null;
  /** Groups of `PaletteItem`s: the first page. */
  children: ReactNode;
}

export function Palette({ onClose, start, children }: Props) {
  const query = usePaletteQuery();
  const [page, setPage] = useState<PalettePage | null>(start);
  const turnTo = useCallback((next: PalettePage | null): void => {
    setPage(next);
    setPaletteQuery("");
  }, []);
  // The same for as long as the query is: a new one renders every item anew.
  const controls = useMemo<PaletteControls>(
    () => ({
      query,
      run: (action) => {
        onClose();
        action();
      },
      open: turnTo,
    }),
    [query, onClose, turnTo],
  );
  const Items = page?.Items ?? null;
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-[appear_120ms_ease-out] bg-[rgb(6_8_10/0.55)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={restoreFocus}
          onEscapeKeyDown={(event) => {
            if (page === null) return;
            event.preventDefault();
            turnTo(null);
          }}
          className="fixed top-[calc(var(--seen)*0.12)] left-1/2 z-50 w-[min(640px,calc(100vw-32px))] -translate-x-1/2 animate-appear overflow-hidden rounded-lg bg-panel shadow-float outline-none phone:top-0 phone:h-[var(--seen)] phone:w-full phone:rounded-none phone:pt-[env(safe-area-inset-top)]"
        >
          <Dialog.Title className="sr-only">{page?.title ?? paletteTexts.title}</Dialog.Title>
          <PaletteContext value={controls}>
            <PaletteView
              key={page?.title ?? ""}
              page={page}
              onLeave={() => (page === null ? onClose() : turnTo(null))}
            >
              {Items === null ? children : <Items />}
            </PaletteView>
          </PaletteContext>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface ViewProps {
  page: PalettePage | null;
  /** Back to the first page, or out. */
  onLeave(): void;
  children: ReactNode;
}

function PaletteView({ page, onLeave, children }: ViewProps) {
  const [registry] = useState(() => new PaletteRegistry());
  return (
    <RegistryContext value={registry}>
      <div hidden>{children}</div>
      <FieldAndList registry={registry} page={page} onLeave={onLeave} />
    </RegistryContext>
  );
}

function FieldAndList({
  registry,
  page,
  onLeave,
}: Omit<ViewProps, "children"> & { registry: PaletteRegistry }) {
  const list = useId();
  const query = usePaletteQuery();
  const registered = useSyncExternalStore(registry.subscribe, registry.entries);
  const groups = useMemo(() => shownGroups(registered, query), [registered, query]);
  const entries = groups.flatMap((group) => group.entries);
  // Which one the person moved to; another query begins at the best fit again.
  const [moved, setMoved] = useState({ query, id: "" });
  const active =
    (moved.query === query ? entries.find(({ id }) => id === moved.id) : undefined) ?? entries[0];
  const moveTo = (entry: PaletteEntry | undefined): void => {
    if (entry !== undefined) setMoved({ query, id: entry.id });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Backspace" && query === "" && page !== null) onLeave();
    else if (event.key === "Enter") active?.onSelect();
    else {
      const at = active === undefined ? -1 : entries.indexOf(active);
      const to = placeAfter(event.key, at, entries.length);
      if (to === null) return;
      moveTo(entries[to]);
    }
    event.preventDefault();
  };
  return (
    <>
      <div className="flex h-12 items-center gap-2 border-b border-line px-4 phone:h-14 phone:px-2">
        <button
          type="button"
          aria-label={page === null ? paletteTexts.close : paletteTexts.back}
          onClick={onLeave}
          className={`size-8 items-center justify-center rounded-md text-muted hover:bg-hover phone:flex phone:size-11 ${page === null ? "hidden" : "-ml-2 flex"}`}
        >
          <ArrowLeft size={16} aria-hidden />
        </button>
        <input
          role="combobox"
          aria-label={page?.title ?? paletteTexts.title}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={list}
          aria-activedescendant={active === undefined ? undefined : entryOptionId(list, active)}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened to type into it
          autoFocus
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          value={query}
          onChange={(event) => setPaletteQuery(event.target.value)}
          onKeyDown={onKey}
          placeholder={page?.placeholder ?? paletteTexts.placeholder}
          className="h-full min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none phone:text-[1rem]"
        />
        <kbd className="rounded-sm border border-edge px-1 font-sans text-2xs text-faint phone:hidden">
          Esc
        </kbd>
      </div>
      <PaletteList id={list} groups={groups} notes={notesOf(registered)} active={active} onPoint={moveTo} />
    </>
  );
}

/** By how many a page key moves: about as many as are seen. */
const pageStep = 8;

/** Null: the key does not move. Beyond either end it goes on at the other. */
function placeAfter(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % count;
    case "ArrowUp":
      return (at - 1 + count) % count;
    case "PageDown":
      return Math.min(count - 1, at + pageStep);
    case "PageUp":
      return Math.max(0, at - pageStep);
    default:
      return null;
  }
}

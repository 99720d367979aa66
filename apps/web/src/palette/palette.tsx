// The palette: a field, and below it the items of the features (`children`) or of the page that one of them opened.
import { Command } from "cmdk";
import { ArrowLeft } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { restoreFocus, setPaletteQuery, usePaletteQuery } from "../navigation/overlay.ts";
import { PaletteContext, type PaletteControls, type PalettePage } from "./palette-context.ts";

interface Props {
  onClose(): void;
  /** Groups of `PaletteItem`s: the first page. */
  children: ReactNode;
}

export function Palette({ onClose, children }: Props) {
  const query = usePaletteQuery();
  const [page, setPage] = useState<PalettePage | null>(null);
  const turnTo = (next: PalettePage | null): void => {
    setPage(next);
    setPaletteQuery("");
  };
  const controls: PaletteControls = {
    query,
    run: (action) => {
      onClose();
      action();
    },
    open: turnTo,
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Backspace" || query !== "" || page === null) return;
    event.preventDefault();
    turnTo(null);
  };
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
          <Dialog.Title className="sr-only">{page?.title ?? "Search and do anything"}</Dialog.Title>
          <Command key={page?.title ?? ""} loop label="Search and do anything" onKeyDown={onKey}>
            <div className="flex h-12 items-center gap-2 border-b border-line px-4 phone:h-14 phone:px-2">
              <button
                type="button"
                aria-label={page === null ? "Close" : "Back"}
                onClick={() => (page === null ? onClose() : turnTo(null))}
                className={`size-8 items-center justify-center rounded-md text-muted hover:bg-hover phone:flex phone:size-11 ${page === null ? "hidden" : "-ml-2 flex"}`}
              >
                <ArrowLeft size={16} aria-hidden />
              </button>
              <Command.Input
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened to type into it
                autoFocus
                value={query}
                onValueChange={setPaletteQuery}
                placeholder={page?.placeholder ?? "Search sessions, transcripts, commands"}
                className="h-full min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none phone:text-[1rem]"
              />
              <kbd className="rounded-sm border border-edge px-1 font-sans text-2xs text-faint phone:hidden">
                Esc
              </kbd>
            </div>
            <Command.List className="max-h-[min(420px,calc(var(--seen)*0.6))] scroll-py-1 overflow-y-auto p-1.5 phone:h-[calc(var(--seen)-3.5rem-env(safe-area-inset-top))] phone:max-h-none">
              <PaletteContext value={controls}>{Items === null ? children : <Items />}</PaletteContext>
              {(Items !== null || query === "") && (
                <Command.Empty className="px-3 py-6 text-center text-sm text-faint">
                  Nothing matches.
                </Command.Empty>
              )}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

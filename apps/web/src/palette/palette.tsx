// The palette: everything there is to do and every session there is, by a few letters. What was said in the
// transcripts is searched while one types.
import { Command } from "cmdk";
import { ArrowLeft } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useState } from "react";
import { activeFeed } from "../connection/open-feeds.ts";
import { FeedContext } from "../connection/use-feed.ts";
import { giveFocusBack, setPaletteQuery, usePaletteQuery } from "../navigation/overlay.ts";
import { go, goToMessage } from "../navigation/session-address.ts";
import { HitItems } from "./hit-items.tsx";
import { HomeItems } from "./home-items.tsx";
import { type Page, pages } from "./pages.tsx";

export default function Palette({ onClose }: { onClose(): void }) {
  const query = usePaletteQuery();
  const [page, setPage] = useState<Page | null>(null);
  const turnTo = (next: Page | null): void => {
    setPage(next);
    setPaletteQuery("");
  };
  const run = (action: () => void): void => {
    onClose();
    action();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Backspace" || query !== "" || page === null) return;
    event.preventDefault();
    turnTo(null);
  };
  const shown = page === null ? null : pages[page];
  const Items = shown?.items ?? null;
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-[appear_120ms_ease-out] bg-[rgb(6_8_10/0.55)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={giveFocusBack}
          onEscapeKeyDown={(event) => {
            if (page === null) return;
            event.preventDefault();
            turnTo(null);
          }}
          className="fixed top-[calc(var(--seen)*0.12)] left-1/2 z-50 w-[min(640px,calc(100vw-32px))] -translate-x-1/2 animate-appear overflow-hidden rounded-lg bg-panel shadow-float outline-none phone:top-0 phone:h-[var(--seen)] phone:w-full phone:rounded-none phone:pt-[env(safe-area-inset-top)]"
        >
          <Dialog.Title className="sr-only">{shown?.title ?? "Search and do anything"}</Dialog.Title>
          <Command key={page ?? ""} loop label="Search and do anything" onKeyDown={onKey}>
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
                placeholder={shown?.placeholder ?? "Search sessions, transcripts, commands"}
                className="h-full min-w-0 flex-1 bg-transparent text-[0.9375rem] outline-none phone:text-[1rem]"
              />
              <kbd className="rounded-sm border border-edge px-1 font-sans text-2xs text-faint phone:hidden">
                Esc
              </kbd>
            </div>
            <Command.List className="max-h-[min(420px,calc(var(--seen)*0.6))] scroll-py-1 overflow-y-auto p-1.5 phone:h-[calc(var(--seen)-3.5rem-env(safe-area-inset-top))] phone:max-h-none">
              <FeedContext value={activeFeed()}>
                {Items === null ? (
                  <>
                    <HomeItems empty={query === ""} onRun={run} onPage={turnTo} />
                    <HitItems
                      query={query}
                      onOpen={(session, time) => run(() => goToMessage(session, time, query))}
                      onAll={() => run(() => go(`/search?${new URLSearchParams({ q: query })}`))}
                    />
                  </>
                ) : (
                  <Items onRun={run} />
                )}
              </FeedContext>
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

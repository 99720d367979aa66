// The search over all transcripts in the palette: the way to its page, and the first hits while a person types.
import { MessageSquareText, Search } from "lucide-react";
import { actionKeys } from "../navigation/action-keys.ts";
import { go, goToMessage } from "../navigation/session-address.ts";
import { usePalette } from "../palette/palette-context.ts";
import { PaletteGroup, PaletteItem } from "../palette/palette-item.tsx";
import { Snippet } from "./snippet.tsx";
import { searchTexts } from "./texts.ts";
import { shortest, useSearch } from "./use-search.ts";

const shownHits = 5;
/** Characters shown before a match, so that it is in view, also on a phone. */
const charactersBefore = 24;

export function SearchItem() {
  const { run } = usePalette();
  return (
    <PaletteItem
      id="search"
      label={searchTexts.title}
      keywords={["find", "full text"]}
      icon={<Search size={15} />}
      shortcut={actionKeys.search}
      onSelect={() => run(() => go("/search"))}
    />
  );
}

export function SearchHitGroups() {
  const { query, run } = usePalette();
  const searched = useSearch({ q: query, limit: shownHits, kind: "prompt,answer,command,summary" });
  if (query.trim().length < shortest) return null;
  const found = searched.state === "found" || searched.state === "searching" ? searched.found : null;
  const hits = found?.hits ?? [];
  return (
    <>
      {hits.length > 0 && (
        <PaletteGroup title={searchTexts.inTranscripts}>
          {hits.map((hit) => (
            <PaletteItem
              key={`${hit.session} ${hit.seq} ${hit.part}`}
              id={`hit ${hit.session} ${hit.seq} ${hit.part}`}
              label={<Snippet pieces={hit.snippet} prose lead={charactersBefore} />}
              icon={<MessageSquareText size={15} />}
              detail={hit.name}
              below
              onSelect={() => run(() => goToMessage(hit.session, hit.time, query))}
              always
            />
          ))}
        </PaletteGroup>
      )}
      <PaletteGroup title={searchTexts.search}>
        <PaletteItem
          id="all hits"
          label={searched.state === "failed" ? searched.message : searchTexts.searchFor(query.trim())}
          icon={<Search size={15} />}
          onSelect={() => run(() => go(`/search?${new URLSearchParams({ q: query })}`))}
          always
        />
      </PaletteGroup>
    </>
  );
}

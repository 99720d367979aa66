// What was said in the transcripts, below what the palette knows itself.
import { MessageSquareText, Search } from "lucide-react";
import { Snippet } from "../search/snippet.tsx";
import { shortest, useSearch } from "../search/use-search.ts";
import { Item, ItemGroup } from "./item.tsx";

interface Props {
  query: string;
  onOpen(session: string, time: string): void;
  onAll(): void;
}

const fewest = 5;
/** What is left of what was said stands before what was found: a few words, also on a phone. */
const before = 24;

export function HitItems({ query, onOpen, onAll }: Props) {
  const searched = useSearch({ q: query, limit: fewest, kind: "prompt,answer,command,summary" });
  if (query.trim().length < shortest) return null;
  const found = searched.state === "found" || searched.state === "searching" ? searched.found : null;
  const hits = found?.hits ?? [];
  return (
    <>
      {hits.length > 0 && (
        <ItemGroup title="In transcripts" always>
          {hits.map((hit) => (
            <Item
              key={`${hit.session} ${hit.seq} ${hit.part}`}
              id={`hit ${hit.session} ${hit.seq} ${hit.part}`}
              label={<Snippet pieces={hit.snippet} prose lead={before} />}
              icon={<MessageSquareText size={15} />}
              detail={hit.name}
              below
              onSelect={() => onOpen(hit.session, hit.time)}
              always
            />
          ))}
        </ItemGroup>
      )}
      <ItemGroup title="Search" always>
        <Item
          id="all hits"
          label={
            searched.state === "failed" ? searched.message : `Search all transcripts for “${query.trim()}”`
          }
          icon={<Search size={15} />}
          onSelect={onAll}
          always
        />
      </ItemGroup>
    </>
  );
}

// What a link into this very pane names (see places.ts): a time, null when there is none, and the words that a search
// looked for.
import { useSearchParams } from "wouter";
import { useFeed } from "../connection/use-feed.ts";
import { readAddressTime } from "./message-address.ts";
import { searchParameter, timeParameter, usePlace } from "./session-address.ts";

interface Link {
  time: number | null;
  find: string;
}

export function useMessageLink(): Link {
  const { id } = useFeed();
  const { session } = usePlace();
  const [params] = useSearchParams();
  const pane = id === session ? "first" : "beside";
  return {
    time: readAddressTime(params.get(timeParameter(pane))),
    find: params.get(searchParameter(pane)) ?? "",
  };
}

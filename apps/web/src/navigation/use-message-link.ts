// What a link into this pane names (see session-address.ts): a time, null when there is none, and the terms of a search.
import { useSearchParams } from "wouter";
import { useFeed } from "../connection/use-feed.ts";
import { readAddressTime } from "./message-address.ts";
import { searchParameter, timeParameter, usePlace } from "./session-address.ts";

interface MessageLink {
  time: number | null;
  find: string;
}

export function useMessageLink(): MessageLink {
  const { id } = useFeed();
  const { session } = usePlace();
  const [params] = useSearchParams();
  const pane = id === session ? "first" : "beside";
  return {
    time: readAddressTime(params.get(timeParameter(pane))),
    find: params.get(searchParameter(pane)) ?? "",
  };
}

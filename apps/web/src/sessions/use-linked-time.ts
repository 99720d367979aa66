// The time that a link into this very pane names (see places.ts); null when the address names none for it.
import { useSearchParams } from "wouter";
import { useFeed } from "../connection/use-feed.ts";
import { readAddressTime } from "../transcript/address.ts";
import { linkOf, usePlace } from "./places.ts";

export function useLinkedTime(): number | null {
  const { id } = useFeed();
  const { session } = usePlace();
  const [params] = useSearchParams();
  return readAddressTime(params.get(linkOf(id === session ? "first" : "beside")));
}

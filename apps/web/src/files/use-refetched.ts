// Data of the server that is fetched again whenever `look` changes. A failed fetch (the server is away for a moment)
// leaves the old data: the person may be writing a comment on it.
import { useEffect, useRef } from "react";
import { type Fetched, useFetched } from "../api/http/use-fetched.ts";

export function useRefetched<T>(key: string, look: number, fetch: () => Promise<T>): Fetched<T> {
  const fetched = useFetched(key, fetch);
  const { refetch } = fetched;
  const last = useRef(look);
  useEffect(() => {
    if (last.current === look) return;
    last.current = look;
    refetch();
  }, [look, refetch]);
  return fetched;
}

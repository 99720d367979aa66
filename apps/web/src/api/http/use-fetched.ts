// Data of the server, fetched again when its key changes and, optionally, at an interval while the page is visible. The
// old data stays until the new data is there, so that nothing jumps.
import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage } from "../../format/error-message.ts";

export interface Fetched<T> {
  data: T | null;
  /** The data is that of another key. */
  outdated: boolean;
  error: string | null;
  refetch(): void;
}

interface Known<T> {
  key: string;
  data: T | null;
  error: string | null;
}

/** `key` names all that `fetch` reads; null: not yet. `everyMs` null: once. */
export function useFetched<T>(
  key: string | null,
  fetch: () => Promise<T>,
  everyMs: number | null = null,
): Fetched<T> {
  const [known, setKnown] = useState<Known<T>>({ key: "", data: null, error: null });
  const fetchAgain = useRef<() => void>(() => {});
  const newest = useRef(fetch);
  useEffect(() => {
    newest.current = fetch;
  });
  useEffect(() => {
    if (key === null) return;
    let over = false;
    let calls = 0;
    const fetchNow = (): void => {
      const call = ++calls;
      const isLate = (): boolean => over || call !== calls; // a newer call was made
      newest.current().then(
        (data) => !isLate() && setKnown({ key, data, error: null }),
        (error: unknown) => {
          if (isLate()) return;
          // What was there is still worth reading, unless it is that of another key.
          setKnown((old) => ({
            key,
            data: old.key === key ? old.data : null,
            error: errorMessage(error),
          }));
        },
      );
    };
    fetchAgain.current = fetchNow;
    fetchNow();
    if (everyMs === null) return () => void (over = true);
    const look = (): void => {
      if (document.visibilityState === "visible") fetchNow();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      over = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `key` stands for what `fetch` reads
  }, [key, everyMs]);
  const refetch = useCallback(() => fetchAgain.current(), []);
  const outdated = known.key !== key;
  return { data: known.data, outdated, error: outdated ? null : known.error, refetch };
}

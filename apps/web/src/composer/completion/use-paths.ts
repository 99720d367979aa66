// The files that a mention may mean, fetched shortly after the last letter.
import { useEffect, useState } from "react";
import { ApiError } from "../../api/http/call.ts";
import { findPaths, type PathSuggestion } from "../../api/search.ts";

const pauseMs = 60;

/** Null while nothing is known. `query` null: nothing is being mentioned. */
export function usePaths(session: string, query: string | null): readonly PathSuggestion[] | null {
  const [found, setFound] = useState<readonly PathSuggestion[] | null>(null);
  useEffect(() => {
    if (query === null) return;
    let stale = false;
    const timer = setTimeout(() => {
      findPaths(session, query).then(
        (paths) => !stale && setFound(paths),
        (error: unknown) => {
          // Without the list the person writes the whole path.
          if (!(error instanceof ApiError)) throw error;
          if (!stale) setFound(null);
        },
      );
    }, pauseMs);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [session, query]);
  return query === null ? null : found;
}

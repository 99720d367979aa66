// The files that a mention may mean, asked of the server a moment after the last letter.
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
          // Without the list one writes the path by hand.
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

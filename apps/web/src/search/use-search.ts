// Searches while a person types: shortly after the last letter, and only the newest result is shown.
import { useEffect, useState } from "react";
import { type SearchRequest, type SearchResult, searchTranscripts } from "../api/search.ts";
import { errorMessage } from "../format/error-message.ts";

export type Searched =
  | { state: "idle" }
  /** `found`: of the question before, so that the list does not blink. */
  | { state: "searching"; found: SearchResult | null }
  | { state: "found"; found: SearchResult }
  | { state: "failed"; message: string };

/** Faster than one notices, slower than one types. */
const pauseMs = 120;
/** One letter begins too many words. */
export const shortest = 2;

type Answer = { key: string; found: SearchResult } | { key: string; problem: string };

export function useSearch(request: SearchRequest): Searched {
  const key = JSON.stringify(request);
  const wanted = request.q.trim().length >= shortest;
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let stale = false;
    const timer = setTimeout(() => {
      searchTranscripts(JSON.parse(key)).then(
        (found) => !stale && setAnswer({ key, found }),
        (error: unknown) => !stale && setAnswer({ key, problem: errorMessage(error) }),
      );
    }, pauseMs);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [key, wanted]);
  if (!wanted) return { state: "idle" };
  if (answer === null) return { state: "searching", found: null };
  if (answer.key !== key) return { state: "searching", found: "found" in answer ? answer.found : null };
  return "found" in answer
    ? { state: "found", found: answer.found }
    : { state: "failed", message: answer.problem };
}

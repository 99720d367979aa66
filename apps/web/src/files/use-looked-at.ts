// An answer of the server that is asked for again with every look at the files. What a look does not bring (the
// server is away for a moment) leaves what was there: somebody may be writing about it.
import { useEffect, useRef } from "react";
import { type Answer, useAnswer } from "../api/http/use-answer.ts";

export function useLookedAt<T>(question: string, look: number, ask: () => Promise<T>): Answer<T> {
  const answer = useAnswer(question, ask);
  const { again } = answer;
  const last = useRef(look);
  useEffect(() => {
    if (last.current === look) return;
    last.current = look;
    again();
  }, [look, again]);
  return answer;
}

// An answer of the server, asked for again when the question changes and, if wanted, every now and then while somebody
// looks. The old answer stays until the new one is there: nothing jumps.
import { useCallback, useEffect, useRef, useState } from "react";
import { errorMessage } from "../../format/error-message.ts";

export interface Answer<T> {
  data: T | null;
  /** What is shown answers another question. */
  outdated: boolean;
  error: string | null;
  again(): void;
}

interface Known<T> {
  question: string;
  data: T | null;
  error: string | null;
}

/** `question` names all that `ask` reads; null: not yet. `everyMs` null: once. */
export function useAnswer<T>(
  question: string | null,
  ask: () => Promise<T>,
  everyMs: number | null = null,
): Answer<T> {
  const [known, setKnown] = useState<Known<T>>({ question: "", data: null, error: null });
  const asking = useRef<() => void>(() => {});
  const newest = useRef(ask);
  useEffect(() => {
    newest.current = ask;
  });
  useEffect(() => {
    if (question === null) return;
    let over = false;
    let asked = 0;
    const askNow = (): void => {
      const turn = ++asked;
      const isLate = (): boolean => over || turn !== asked; // a newer answer is there, or on its way
      newest.current().then(
        (data) => !isLate() && setKnown({ question, data, error: null }),
        (error: unknown) => {
          if (isLate()) return;
          // What was there is still worth reading, unless it answers another question.
          setKnown((old) => ({
            question,
            data: old.question === question ? old.data : null,
            error: errorMessage(error),
          }));
        },
      );
    };
    asking.current = askNow;
    askNow();
    if (everyMs === null) return () => void (over = true);
    const look = (): void => {
      if (document.visibilityState === "visible") askNow();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      over = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `question` stands for what `ask` reads
  }, [question, everyMs]);
  const again = useCallback(() => asking.current(), []);
  const outdated = known.question !== question;
  return { data: known.data, outdated, error: outdated ? null : known.error, again };
}

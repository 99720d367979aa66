// An answer of the server, asked for again every now and then while somebody looks. When the question changes,
// the old answer stays until the new one is there: nothing jumps.
import { useCallback, useEffect, useRef, useState } from "react";
import type * as z from "zod/mini";
import { call, inWords } from "../api/call.ts";

export interface Asked<T> {
  data: T | null;
  /** What is shown answers another question. */
  outdated: boolean;
  error: string | null;
  again(): void;
}

interface Answer<T> {
  path: string;
  data: T | null;
  error: string | null;
}

/** `path` null: not yet. `everyMs` null: once. */
export function useAsked<T>(path: string | null, schema: z.ZodMiniType<T>, everyMs: number | null): Asked<T> {
  const [answer, setAnswer] = useState<Answer<T>>({ path: "", data: null, error: null });
  const asking = useRef<() => void>(() => {});
  useEffect(() => {
    if (path === null) return;
    let over = false;
    const ask = async (): Promise<void> => {
      try {
        const data = await call(path, schema);
        if (!over) setAnswer({ path, data, error: null });
      } catch (error) {
        // What was there is still worth reading, unless it answers another question.
        if (!over)
          setAnswer((old) => ({ path, data: old.path === path ? old.data : null, error: inWords(error) }));
      }
    };
    asking.current = () => void ask();
    void ask();
    if (everyMs === null) return () => void (over = true);
    const look = (): void => {
      if (document.visibilityState === "visible") void ask();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener("visibilitychange", look);
    return () => {
      over = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [path, schema, everyMs]);
  const again = useCallback(() => asking.current(), []);
  return {
    data: answer.data,
    outdated: answer.path !== path,
    error: answer.path === path ? answer.error : null,
    again,
  };
}

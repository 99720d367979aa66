// Something from the server, asked for again when what it depends on changes. What was there stays until the new comes.
import { useEffect, useState } from "react";
import { inWords } from "../api/call.ts";

export interface Loaded<T> {
  data: T | null;
  problem: string | null;
}

/** `key` names what is asked for; null: nothing. */
export function useLoaded<T>(key: string | null, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loaded<T> & { key: string | null }>({
    key: null,
    data: null,
    problem: null,
  });
  useEffect(() => {
    if (key === null) return;
    let gone = false;
    load().then(
      (data) => !gone && setState({ key, data, problem: null }),
      (error: unknown) => !gone && setState({ key, data: null, problem: inWords(error) }),
    );
    return () => {
      gone = true;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `key` stands for what `load` reads
  }, [key]);
  return key === null ? { data: null, problem: null } : state;
}

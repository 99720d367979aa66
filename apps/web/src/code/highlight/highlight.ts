// Coloured code, by a web worker that starts with the first block. Results are kept, so that a block
// that leaves the screen and returns does not blink.
import { useEffect, useState } from "react";
import { withNextPicture } from "../../device/next-picture.ts";

/** Longer blocks stay plain: colours would cost seconds. */
const longest = 200_000;
/** A few screens of code blocks; the oldest is forgotten first. */
const cacheSize = 200;

const cache = new Map<string, string>();
const waiting = new Map<number, (html: string | null) => void>();
let worker: Worker | null = null;
let nextId = 0;

function start(): Worker {
  const made = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
  made.onmessage = (event: MessageEvent<{ id: number; html: string | null }>) => {
    waiting.get(event.data.id)?.(event.data.html);
    waiting.delete(event.data.id);
  };
  // A worker that cannot start leaves code plain, which is how it looked anyway.
  made.onerror = () => {
    for (const done of waiting.values()) done(null);
    waiting.clear();
  };
  return made;
}

function highlight(code: string, language: string): Promise<string | null> {
  worker ??= start();
  const id = nextId++;
  const done = new Promise<string | null>((resolve) => waiting.set(id, resolve));
  worker.postMessage({ id, code, language });
  return done;
}

/** HTML in which highlight.js escaped everything but its own spans; null while there are no colours. */
export function useHighlighted(code: string, language: string, settled: boolean): string | null {
  const key = `${language}\n${code}`;
  const [result, setResult] = useState<{ key: string; html: string } | null>(null);
  const wanted = settled && language !== "" && code.length <= longest;
  useEffect(() => {
    if (!wanted || cache.has(key)) return;
    let gone = false;
    void highlight(code, language).then((html) => {
      if (html === null) return;
      cache.set(key, html);
      const oldest = cache.keys().next().value;
      if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
      withNextPicture(() => {
        if (!gone) setResult({ key, html });
      });
    });
    return () => {
      gone = true;
    };
  }, [key, code, language, wanted]);
  if (!wanted) return null;
  return cache.get(key) ?? (result?.key === key ? result.html : null);
}

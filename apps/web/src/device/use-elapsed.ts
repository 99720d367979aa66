// The time since something began, renewed every second while it goes on.
import { useEffect, useState } from "react";

/** Milliseconds since then, or since the component first ran; stands still once `running` is false. */
export function useElapsed(running: boolean, since = ""): number {
  const [first] = useState(() => Date.now());
  const [now, setNow] = useState(first);
  const begun = Date.parse(since);
  // The clock of the server may be ahead of this one.
  const start = Number.isNaN(begun) ? first : Math.min(begun, first);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(0, now - start);
}

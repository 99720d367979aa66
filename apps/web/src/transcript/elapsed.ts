// A clock for things that are going on: renewed about every second, silent otherwise.
import { useEffect, useState } from "react";

/** Milliseconds since the component first ran; stands still once `running` is false. */
export function useElapsed(running: boolean): number {
  const [start] = useState(() => Date.now());
  const [now, setNow] = useState(start);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(0, now - start);
}

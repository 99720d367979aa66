// The time, for what is left until a window resets: minutes are shown, so twice a minute is enough.
import { useEffect, useState } from "react";

const everyMs = 30_000;

export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

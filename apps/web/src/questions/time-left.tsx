// How long a question stays open, counted down, and what is taken for the answer afterwards.
import { useEffect, useState } from "react";
import { formatDuration } from "../format/time.ts";
import { questionsTexts as texts } from "./texts.ts";

export function TimeLeft({ until, fallback }: { until: string; fallback: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = new Date(until).getTime() - now;
  if (Number.isNaN(left)) return null;
  const text = left <= 0 ? texts.timeUp : texts.timeLeft(formatDuration(Math.ceil(left / 1_000) * 1_000));
  return (
    <span role="timer" className="shrink-0 text-xs text-muted tabular-nums">
      {text}
      {fallback !== "" && <span className="text-faint">{texts.thenDefault(fallback)}</span>}
    </span>
  );
}

// Says that the page is disconnected, once it has been for three seconds: shorter cuts are over before the
// banner could be read.
import { useEffect, useState } from "react";
import { useFeedState } from "../../connection/use-feed.ts";
import { useSessionList } from "../../session-list/session-list.ts";
import { bannersTexts } from "./texts.ts";

const patience = 3_000;

export function LinkBanner() {
  const since = useFeedState((feed) => (feed.link.state === "cut" ? feed.link.since : null));
  const attempt = useFeedState((feed) => (feed.link.state === "cut" ? feed.link.attempt : 0));
  // A socket cannot say why it was refused; the list's call can (not logged in, server gone).
  const refresh = useSessionList((list) => list.refresh);
  useEffect(() => {
    if (attempt > 1) void refresh();
  }, [attempt, refresh]);
  return since === null ? null : <PatientBanner key={since} since={since} />;
}

function PatientBanner({ since }: { since: number }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), Math.max(0, since + patience - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  if (!late) return null;
  return (
    <p
      role="status"
      className="animate-appear border-b border-line bg-needs-soft px-5 py-2 text-sm phone:px-4"
    >
      <span className="font-medium text-accent">{bannersTexts.disconnected}</span>{" "}
      <span className="text-muted">{bannersTexts.nothingLost}</span>
    </p>
  );
}

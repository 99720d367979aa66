// The place of the queue above the composer. What shows it is loaded with the first prompt that waits: most sessions never
// have one.
import { lazy, Suspense } from "react";
import { useFeedState } from "../../connection/use-feed.ts";

const Queue = lazy(() => import("./queue.tsx"));

export function QueuePlace() {
  const isUsed = useFeedState(
    ({ queue, sending, transcript }) =>
      queue.length > 0 || sending.length > 0 || transcript.surface.steering.length > 0,
  );
  return <Suspense>{isUsed && <Queue />}</Suspense>;
}

// The place of the queue above the composer. What shows it is loaded after the first picture: a prompt that waits because the
// server is away could not load it then.
import { Suspense, useEffect } from "react";
import { useFeedState } from "../../connection/use-feed.ts";
import { lazyPart } from "../../ui/lazy-part.ts";

const load = () => import("./queue.tsx");
const Queue = lazyPart(load);

export function QueuePlace() {
  const isUsed = useFeedState(
    ({ queue, sending, transcript }) =>
      queue.length > 0 || sending.length > 0 || transcript.surface.steering.length > 0,
  );
  useEffect(() => {
    load().catch(() => {}); // loading failed: the first prompt that waits tries again
  }, []);
  return <Suspense>{isUsed && <Queue />}</Suspense>;
}

// What stands at the foot of the list, loaded once the first screen is there.
import { Suspense, useEffect, useState } from "react";
import { whenIdle } from "../device/when-idle.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const ListNotices = lazyPart(() => import("./list-notices.tsx"));

export function LaterNotices() {
  const [settled, setSettled] = useState(false);
  useEffect(() => whenIdle(() => setSettled(true)), []);
  return <Suspense>{settled && <ListNotices />}</Suspense>;
}

// What stands at the foot of the list, on a phone below it: the offer of notifications, a hint about safety, and deletions that
// can be undone.
import { type ComponentType, useEffect, useState } from "react";
import { NotifyOffer } from "../attention/notify-offer.tsx";
import { UndoBar } from "./undo-bar.tsx";

/** A chunk of its own: see later-notices.tsx. */
const ListNotices = () => (
  <>
    <NotifyOffer />
    <LaterHint />
    <UndoBar />
  </>
);

export default ListNotices;

/** The first screen does not wait for it: most servers have no hint to show. */
const hintAfterMs = 1_500;

/** Loaded without React.lazy: if that fails, there is no hint, and nothing else breaks. */
function LaterHint() {
  const [Hint, setHint] = useState<ComponentType | null>(null);
  useEffect(() => {
    let gone = false;
    const load = (): void => {
      import("../safety/safety-hint.tsx").then(
        (module) => !gone && setHint(() => module.default),
        () => {}, // the next page load tries again
      );
    };
    const timer = setTimeout(load, hintAfterMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, []);
  return Hint === null ? null : <Hint />;
}

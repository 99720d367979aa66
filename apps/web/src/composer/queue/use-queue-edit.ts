// Rewriting a prompt that waits. Its turn may come in the middle of that, or somebody may take it out: what was
// written meanwhile is then given to the composer, because words of a person are never dropped.
import type { QueueItem } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { useFeed } from "../../connection/use-feed.ts";
import { errorMessage } from "../../format/error-message.ts";
import { complain } from "../../ui/feedback/problem.ts";

interface Edited {
  id: string;
  /** As it was. */
  message: string;
  text: string;
  /** The server was asked to take it, and tells what came of it. */
  saving: boolean;
}

const tooLate = "What you were rewriting has left the queue as it was. Your words are in the composer.";

export function useQueueEdit(onProblem: (problem: string | null) => void) {
  const feed = useFeed();
  const [edited, setEdited] = useState<Edited | null>(null);
  const waits = (id: string): boolean => feed.store.getState().queue.some((item) => item.id === id);
  const giveBack = ({ text, message }: Edited): void => {
    setEdited(null);
    if (text.trim() === message.trim()) return;
    feed.giveBack(text.trim());
    complain(tooLate);
  };
  useEffect(() => {
    if (edited === null || edited.saving) return;
    const stop = feed.store.subscribe(() => {
      if (waits(edited.id)) return;
      stop(); // once: giving it back changes the store, too
      giveBack(edited);
    });
    return stop;
  });
  const save = (): void => {
    if (edited === null) return;
    const text = edited.text.trim();
    onProblem(null);
    if (text === edited.message) return setEdited(null);
    setEdited({ ...edited, saving: true });
    feed.ask({ type: "queue_edit", item: edited.id, message: text }).then(
      () => setEdited(null),
      (error: unknown) => {
        if (!waits(edited.id)) return giveBack(edited);
        setEdited({ ...edited, saving: false });
        onProblem(errorMessage(error));
      },
    );
  };
  return {
    edited,
    begin: ({ id, message }: QueueItem) => setEdited({ id, message, text: message, saving: false }),
    change: (text: string) => setEdited((now) => now && { ...now, text }),
    save,
    cancel: () => setEdited(null),
  };
}

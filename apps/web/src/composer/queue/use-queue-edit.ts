// Rewriting a queued prompt. The prompt may start, or another viewer may remove it, while it is being rewritten: the
// new text then goes to the composer, because a text of a person is never dropped.
import type { QueueItem } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { useFeed } from "../../connection/use-feed.ts";
import { errorMessage } from "../../format/error-message.ts";
import { showProblem } from "../../ui/feedback/problem.ts";
import { composerTexts } from "../texts.ts";

interface Edited {
  id: string;
  /** As it was. */
  message: string;
  text: string;
  /** The server was asked to save it, and has not responded yet. */
  saving: boolean;
}

export function useQueueEdit(onProblem: (problem: string | null) => void) {
  const feed = useFeed();
  const [edited, setEdited] = useState<Edited | null>(null);
  const waits = (id: string): boolean => feed.store.getState().queue.some((item) => item.id === id);
  const moveToComposer = ({ text, message }: Edited): void => {
    setEdited(null);
    if (text.trim() === message.trim()) return;
    feed.prependText(text.trim());
    showProblem(composerTexts.leftQueue);
  };
  useEffect(() => {
    if (edited === null || edited.saving) return;
    const stop = feed.store.subscribe(() => {
      if (waits(edited.id)) return;
      stop(); // once: moving it changes the store, too
      moveToComposer(edited);
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
        if (!waits(edited.id)) return moveToComposer(edited);
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

// ↑ and ↓ in the composer: only at the edge of what is written, where they would move nothing.
import { messageText } from "@patchbay/protocol";
import { type KeyboardEvent, useState } from "react";
import { useFeed } from "../connection/use-feed.ts";
import { atDraft, walkHistory, withoutRepeats } from "./history.ts";

export function useHistory(text: string, setText: (text: string) => void) {
  const feed = useFeed();
  const [shown, setShown] = useState({ place: atDraft, text: "" });
  // Another text ends the walk through the history.
  const place = shown.text === text ? shown.place : atDraft;
  return {
    /** True: the key was meant for the history. */
    onKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
      const step = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
      if (step === 0 || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
      const { selectionStart, selectionEnd, value } = event.currentTarget;
      // In the middle of a text the arrows move the cursor; what came from the history is stepped over.
      if (selectionStart !== selectionEnd) return false;
      if (place.back === 0 && value !== "") return false;
      if (place.back > 0 && !isAtEdge(value, selectionStart, step)) return false;
      const { messages } = feed.store.getState().transcript;
      const prompts = withoutRepeats(
        messages.flatMap((message) =>
          message.role === "user" && message.bash === undefined ? [messageText(message)] : [],
        ),
      );
      const walked = walkHistory(prompts, place, text, step);
      if (walked === null) return false;
      event.preventDefault();
      setShown(walked);
      setText(walked.text);
      return true;
    },
  };
}

const isAtEdge = (text: string, at: number, step: 1 | -1): boolean =>
  step === 1 ? !text.slice(0, at).includes("\n") : !text.slice(at).includes("\n");

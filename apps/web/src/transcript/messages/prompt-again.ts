// Sends a prompt again, as it was or edited: on a new branch that begins where the prompt was, where the agent can go back
// there, otherwise as a new message at the end.
import { type Message, messageText, type PromptImage } from "@patchbay/protocol";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { attachedImages } from "../entries/entries.ts";

interface PromptAgain {
  /** Whether it goes on a new branch. */
  branches: boolean;
  /** Whether it can be sent now. */
  ready: boolean;
  /** Rejects, with a sentence for a person, when the agent did not go back; then nothing was sent. */
  send(message: string, images: readonly PromptImage[]): Promise<void>;
}

export function usePromptAgain(entryId: string | undefined): PromptAgain {
  const feed = useFeed();
  // An agent that has ended has not reported what it can: the command starts it.
  const branches = useFeedState(
    ({ session }) =>
      entryId !== undefined &&
      (session?.capabilities.length === 0 || session?.capabilities.includes("branch") === true),
  );
  const ready = useFeedState(
    ({ session, sending }) =>
      (session?.state === "idle" || session?.state === "stopped") && sending.length === 0,
  );
  const send = async (message: string, images: readonly PromptImage[]): Promise<void> => {
    if (branches) await feed.ask({ type: "branch", entryId });
    feed.prompt(message, [...images]);
  };
  return { branches, ready, send };
}

/** Null when a picture of it is gone. */
export function promptOf(message: Message): { text: string; images: PromptImage[] } | null {
  const images = attachedImages(message);
  return images === null ? null : { text: messageText(message), images };
}

// Sends a prompt. The first one also names the session, unless it has a name already: five sessions
// named after the same directory look alike.
import type { PromptImage } from "@patchbay/protocol";
import { updateSession } from "../api/sessions.ts";
import type { SendAs } from "../connection/outgoing/outbox.ts";
import type { SessionFeed } from "../connection/session-feed.ts";
import { baseName } from "../format/path.ts";
import { projectDirectory } from "../session-list/group-sessions.ts";
import { nameFrom } from "../session-list/name-from.ts";
import { useSessionList } from "../session-list/session-list.ts";

export function sendPrompt(
  feed: SessionFeed,
  message: string,
  images: PromptImage[] = [],
  as: SendAs = "prompt",
): void {
  const { session, transcript } = feed.store.getState();
  feed.prompt(message, images, as);
  if (as === "command") return; // "/help" is no name
  const name = nameFrom(message);
  if (session === null || transcript.messages.length > 0) return;
  // A session without a name has that of the directory it was requested in, also when it works in a worktree of it.
  if (session.name !== baseName(projectDirectory(session))) return;
  if (name === "") return;
  updateSession(session.id, { name }).then(useSessionList.getState().put, () => {
    // The old name stays, which is all that a failure here can mean.
  });
}

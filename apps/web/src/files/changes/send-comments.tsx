// The comments that wait, at the foot of the pane: they go to the agent as one prompt.
import { Send } from "lucide-react";
import { useFeed } from "../../connection/use-feed.ts";
import { sendPrompt } from "../../session-actions/send-prompt.ts";
import { Button } from "../../ui/button.tsx";
import { filesTexts } from "../texts.ts";
import { commentsPrompt, useComments } from "./comments.ts";

export function SendComments({ session, onSent }: { session: string; onSent(): void }) {
  const feed = useFeed();
  const { comments, clear } = useComments(session);
  if (comments.length === 0) return null;
  const send = (): void => {
    sendPrompt(feed, commentsPrompt(comments)); // kept by the outbox until the server has it
    clear();
    onSent();
  };
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line bg-panel p-2 phone:pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      <span className="mr-auto pl-1 text-xs text-muted phone:hidden">
        {filesTexts.commentsWaiting(comments.length)}
      </span>
      <Button look="quiet" onClick={clear}>
        {filesTexts.discard}
      </Button>
      <Button look="primary" onClick={send}>
        <Send size={14} aria-hidden /> {filesTexts.sendComments(comments.length)}
      </Button>
    </div>
  );
}

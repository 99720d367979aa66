// A prompt of a person: its text, its pictures, the files it mentions, and the branches that begin with it.
import type { BranchPoint, ContentBlock, Message } from "@patchbay/protocol";
import { messageText } from "@patchbay/protocol";
import { CornerDownRight } from "lucide-react";
import { memo, Suspense } from "react";
import { useAuthorName } from "../../connection/use-author-name.ts";
import { formatClock, formatExact } from "../../format/time.ts";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Picture } from "../../ui/picture.tsx";
import { transcriptTexts } from "../texts.ts";
import { BranchWalk } from "./branch-walk.tsx";
import { useEditedPrompts } from "./edited-prompts.ts";
import { PromptActions } from "./prompt-actions.tsx";
import { PromptText } from "./prompt-text.tsx";

const PromptEditor = lazyPart(async () => ({ default: (await import("./prompt-editor.tsx")).PromptEditor }));

interface PromptProps {
  message: Message;
  point: BranchPoint | null;
}

export const PromptView = memo(function PromptView({ message, point }: PromptProps) {
  const images = message.content.flatMap((block) => (block.type === "image" ? [block] : []));
  const mentions = [...new Set(message.content.flatMap(mentionOf))];
  const time = formatClock(message.time);
  const author = useAuthorName(message.by);
  const { entry_id: entryId = "" } = message;
  const edited = useEditedPrompts((store) => store.edited.get(entryId));
  if (edited !== undefined)
    return (
      <article aria-label={transcriptTexts.prompt} className="mt-5 mb-2">
        <Suspense>
          <PromptEditor entryId={entryId} prompt={edited} />
        </Suspense>
      </article>
    );
  return (
    <article aria-label={transcriptTexts.prompt} className="group relative mt-5 mb-2">
      <span aria-hidden className="absolute inset-y-0.5 -left-4 w-0.5 rounded-full bg-fill phone:-left-3" />
      <header className="flex min-h-5 items-center gap-2 text-xs text-faint">
        <span className="font-medium text-muted">{author ?? transcriptTexts.you}</span>
        {message.steering === true && (
          <span title={transcriptTexts.steeringHint} className="flex items-center gap-1 text-accent">
            <CornerDownRight size={12} aria-hidden /> {transcriptTexts.steering}
          </span>
        )}
        {time !== "" && (
          <time dateTime={message.time} title={formatExact(message.time)} className="tabular-nums">
            {time}
          </time>
        )}
        {point !== null && <BranchWalk point={point} />}
        <PromptActions message={message} />
      </header>
      <PromptText text={messageText(message)} />
      {mentions.length > 0 && (
        <ul aria-label={transcriptTexts.mentions} className="mt-1.5 flex flex-wrap gap-1.5">
          {mentions.map((mention) => (
            <li
              key={mention}
              className="rounded-md border border-line px-1.5 py-0.5 font-mono text-xs text-muted"
            >
              {mention}
            </li>
          ))}
        </ul>
      )}
      {images.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          {images.map((image, index) =>
            image.data === undefined ? (
              // A message never changes
              <span key={index} className="rounded-md border border-line px-2 py-1 text-xs text-muted">
                {transcriptTexts.pictureSize(image.mime_type, image.bytes)}
              </span>
            ) : (
              // A message never changes
              <Picture
                key={index}
                alt={transcriptTexts.attached}
                src={`data:${image.mime_type};base64,${image.data}`}
              />
            ),
          )}
        </div>
      )}
    </article>
  );
});

const mentionOf = (block: ContentBlock): string[] =>
  (block.type === "text" || block.type === "image") && block.mention !== undefined ? [block.mention] : [];

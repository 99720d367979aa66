// Prompts that wait: those that steer the running turn, those that the server holds until it is over, and those that
// are still being sent. They can be rewritten, reordered and removed.
import type { QueueItem } from "@patchbay/protocol";
import { ChevronDown, ChevronUp, Pencil, Play, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useCan } from "../../connection/use-can.ts";
import { useFeed, useFeedState } from "../../connection/use-feed.ts";
import { errorMessage } from "../../format/error-message.ts";
import { Button } from "../../ui/button.tsx";
import { composerTexts } from "../texts.ts";
import { QueueEdit } from "./queue-edit.tsx";
import { useQueueEdit } from "./use-queue-edit.ts";
import { useUnsent } from "./use-unsent.ts";

export default function Queue() {
  const feed = useFeed();
  const items = useFeedState((state) => state.queue);
  const queue = items.filter(({ fate }) => fate === undefined);
  const undecided = items.filter(({ fate }) => fate !== undefined);
  const placeOf = (item: QueueItem | undefined): number => items.findIndex(({ id }) => id === item?.id);
  const idle = useFeedState(
    ({ session, link }) => link.state === "live" && session?.job === null && session.state !== "starting",
  );
  const unsent = useUnsent();
  const steering = useFeedState((state) => state.transcript.surface.steering);
  const canTakeBack = useCan("steer_remove");
  const [problem, setProblem] = useState<string | null>(null);
  const edit = useQueueEdit(setProblem);
  if (items.length === 0 && unsent.length === 0 && steering.length === 0) return null;
  const change = (command: { type: string; [field: string]: unknown }): void => {
    setProblem(null);
    feed.ask(command).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  return (
    <section aria-label={composerTexts.queue} className="mb-2 rounded-md border border-line bg-raised">
      {undecided.map((item) => (
        <Undecided
          key={item.id}
          item={item}
          onRetry={() => change({ type: "queue_retry", item: item.id })}
          onDiscard={() => change({ type: "queue_remove", item: item.id })}
        />
      ))}
      {idle && queue.length > 0 && (
        <div className="flex min-h-10 items-center gap-3 border-b border-line py-1 pr-1 pl-3 text-sm">
          <p className="min-w-0 flex-1 text-muted">{composerTexts.paused(queue.length)}</p>
          <Button look="plain" onClick={() => change({ type: "queue_resume" })}>
            <Play size={13} aria-hidden className="text-accent" /> {composerTexts.runNow}
          </Button>
        </div>
      )}
      <ol className="max-h-[calc(var(--seen)*0.3)] overflow-y-auto">
        {steering.map((text, index) => (
          // What waits to take effect has no identity but its place
          <Line
            key={index}
            label={composerTexts.steering}
            strong
            text={text}
            title={idle ? composerTexts.steeringStopped : composerTexts.steeringWaits}
          >
            {canTakeBack && (
              <QueueButton
                label={composerTexts.takeBack}
                onClick={() => change({ type: "steer_remove", index, text })}
              >
                <X size={14} aria-hidden />
              </QueueButton>
            )}
          </Line>
        ))}
        {queue.map((item, index) =>
          item.id === edit.edited?.id ? (
            <QueueEdit
              key={item.id}
              text={edit.edited.text}
              onChange={edit.change}
              onSave={edit.save}
              onCancel={edit.cancel}
            />
          ) : (
            <Line
              key={item.id}
              label={index === 0 ? composerTexts.next : composerTexts.later}
              text={item.command === "compact" ? composerTexts.compact : item.message}
              aside={asideOf(item)}
            >
              {index > 0 && (
                <QueueButton
                  label={composerTexts.moveUp}
                  onClick={() => change({ type: "queue_move", item: item.id, to: placeOf(queue[index - 1]) })}
                >
                  <ChevronUp size={14} aria-hidden />
                </QueueButton>
              )}
              {index < queue.length - 1 && (
                <QueueButton
                  label={composerTexts.moveDown}
                  onClick={() => change({ type: "queue_move", item: item.id, to: placeOf(queue[index + 1]) })}
                >
                  <ChevronDown size={14} aria-hidden />
                </QueueButton>
              )}
              {item.command === "prompt" && item.cut !== true && (
                <QueueButton label={composerTexts.edit} onClick={() => edit.begin(item)}>
                  <Pencil size={13} aria-hidden />
                </QueueButton>
              )}
              <QueueButton
                label={composerTexts.remove}
                onClick={() => change({ type: "queue_remove", item: item.id })}
              >
                <X size={14} aria-hidden />
              </QueueButton>
            </Line>
          ),
        )}
        {unsent.map((item) => (
          <Line key={item.id} label={composerTexts.notSent} strong text={item.message} />
        ))}
      </ol>
      {problem !== null && (
        <p role="alert" className="border-t border-line px-3 py-1.5 text-xs text-failed">
          {problem}
        </p>
      )}
    </section>
  );
}

interface UndecidedProps {
  item: QueueItem;
  onRetry(): void;
  onDiscard(): void;
}

/** A prompt that may have run before its agent ended: running it again is for the person to decide. */
const Undecided = ({ item, onRetry, onDiscard }: UndecidedProps) => (
  <div
    role="group"
    aria-label={composerTexts.undecided}
    className="flex min-h-10 flex-wrap items-center gap-x-3 border-b border-line py-1 pr-1 pl-3 text-sm"
  >
    <p className="min-w-0 flex-1 basis-60">
      <span className="text-accent">{composerTexts.mayHaveRun}</span>{" "}
      <span className="text-muted">{composerTexts.mayHaveRunDetail}</span>
      <span className="block truncate" title={item.message}>
        {item.command === "compact" ? composerTexts.compact : item.message}
      </span>
    </p>
    <span className="flex shrink-0 gap-1">
      <Button look="plain" onClick={onRetry}>
        <Play size={13} aria-hidden className="text-accent" /> {composerTexts.runAgain}
      </Button>
      <Button look="plain" onClick={onDiscard}>
        {composerTexts.discard}
      </Button>
    </span>
  </div>
);

interface LineProps {
  label: string;
  strong?: boolean;
  text: string;
  aside?: string | undefined;
  title?: string;
  children?: ReactNode;
}

const Line = ({ label, strong = false, text, aside, title, children }: LineProps) => (
  <li
    title={title ?? text}
    className="flex min-h-8 items-center gap-1 border-b border-line pr-1 pl-3 text-sm last:border-b-0"
  >
    {/* On a phone the text needs the room */}
    <span className={`mr-1 w-14 shrink-0 text-xs ${strong ? "text-accent" : "text-faint phone:sr-only"}`}>
      {label}
    </span>
    <span className="min-w-0 flex-1 truncate">
      {text}
      {aside !== undefined && <span className="text-faint"> · {aside}</span>}
    </span>
    {children}
  </li>
);

interface ButtonProps {
  label: string;
  onClick(): void;
  children: ReactNode;
}

const QueueButton = ({ label, onClick, children }: ButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    onClick={onClick}
    className="flex size-6 shrink-0 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink phone:size-11"
  >
    {children}
  </button>
);

/** Whose it is, where that is told, and how many pictures go with it. */
function asideOf({ by, images }: QueueItem): string | undefined {
  const facts = [by?.label ?? "", images > 0 ? composerTexts.pictures(images) : ""].filter(Boolean);
  return facts.length === 0 ? undefined : facts.join(" · ");
}

// Prompts that wait: those said into the running turn, those the server holds for when it is over, and those
// still on their way.
import { ChevronUp, Play, X } from "lucide-react";
import { useState } from "react";
import { inWords } from "../api/call.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { plural } from "../format/plural.ts";
import { Button } from "../ui/button.tsx";

export function Queue() {
  const feed = useFeed();
  const queue = useFeedState((state) => state.queue);
  const idle = useFeedState(
    ({ session, link }) => link.state === "live" && session?.job === null && session.state !== "starting",
  );
  const unsent = useFeedState((state) => (state.link.state === "live" ? none : state.sending));
  const steering = useFeedState((state) => state.transcript.surface.steering);
  const [problem, setProblem] = useState<string | null>(null);
  if (queue.length === 0 && unsent.length === 0 && steering.length === 0) return null;
  const change = (command: { type: string; item?: string; to?: number }): void => {
    setProblem(null);
    feed.ask(command).catch((error: unknown) => setProblem(inWords(error)));
  };
  return (
    <section aria-label="Queue" className="mb-2 rounded-md border border-line bg-raised">
      {idle && queue.length > 0 && (
        <div className="flex min-h-10 items-center gap-3 border-b border-line py-1 pr-1 pl-3 text-sm">
          <p className="min-w-0 flex-1 text-muted">
            {plural(queue.length, "prompt waits", "prompts wait")} since the worker ended.
          </p>
          <Button look="plain" onClick={() => change({ type: "queue_resume" })}>
            <Play size={13} aria-hidden className="text-accent" /> Run now
          </Button>
        </div>
      )}
      <ol>
        {steering.map((text, index) => (
          // What waits to take effect has no identity but its place
          <li
            key={index}
            title="The agent reads it before its next step"
            className="flex min-h-8 items-center gap-2 border-b border-line px-3 text-sm last:border-b-0"
          >
            <span className="w-14 shrink-0 text-xs text-accent">Steering</span>
            <span className="min-w-0 flex-1 truncate">{text}</span>
          </li>
        ))}
        {queue.map((item, index) => (
          <li
            key={item.id}
            className="group flex min-h-8 items-center gap-2 border-b border-line px-3 text-sm last:border-b-0"
          >
            <span className="w-14 shrink-0 text-xs text-faint">{index === 0 ? "Next" : "Then"}</span>
            <span className="min-w-0 flex-1 truncate">
              {item.command === "compact" ? "Compact the context" : item.message}
              {item.images > 0 && <span className="text-faint"> · {plural(item.images, "picture")}</span>}
            </span>
            {index > 0 && (
              <QueueButton
                label="Move up"
                onClick={() => change({ type: "queue_move", item: item.id, to: index - 1 })}
              >
                <ChevronUp size={14} aria-hidden />
              </QueueButton>
            )}
            <QueueButton
              label="Remove from queue"
              onClick={() => change({ type: "queue_remove", item: item.id })}
            >
              <X size={14} aria-hidden />
            </QueueButton>
          </li>
        ))}
        {unsent.map((item) => (
          <li
            key={item.id}
            className="flex min-h-8 items-center gap-2 border-b border-line px-3 text-sm last:border-b-0"
          >
            <span className="w-14 shrink-0 text-xs text-accent">Not sent</span>
            <span className="min-w-0 flex-1 truncate">{item.message}</span>
          </li>
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

const none: readonly never[] = [];

interface ButtonProps {
  label: string;
  onClick(): void;
  children: React.ReactNode;
}

const QueueButton = ({ label, onClick, children }: ButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    onClick={onClick}
    className="flex size-6 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink phone:size-11"
  >
    {children}
  </button>
);

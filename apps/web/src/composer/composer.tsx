// Where prompts are written. Enter sends (or queues, while the agent works), Shift+Enter makes a new
// line, Esc stops. The text leaves the field only once it is in the outbox.
import type { PromptImage } from "@patchbay/protocol";
import { ArrowUp, ListPlus, Square, X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { OutboxItem } from "../connection/outbox.ts";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { loadDraft, saveDraft } from "./draft.ts";
import { imageCount, imageLimit, pastedImages, readImage } from "./images.ts";
import { useStop } from "./stop.ts";

export function Composer({ onPrompt }: { onPrompt(message: string, images: PromptImage[]): void }) {
  const feed = useFeed();
  const [text, setText] = useState(() => {
    const draft = loadDraft(feed.id);
    return draft === "" ? feed.takeAbandonedText() : draft;
  });
  const [images, setImages] = useState<readonly PromptImage[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const busy = useFeedState(({ session }) => session?.state === "busy" || session?.state === "waiting");
  const stop = useStop(setProblem);
  useLayoutEffect(() => {
    // The field grows with its text; CSS bounds how far.
    const element = field.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  });
  useEffect(() => {
    // On a phone the keyboard would cover half of what one came to read.
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);
  useEffect(() => saveDraft(feed.id, text), [feed.id, text]);
  useRefused((item, reason) => {
    setText((current) => (current === "" ? item.message : `${item.message}\n\n${current}`));
    setImages((have) => [...(item.images ?? []), ...have].slice(0, imageCount));
    setProblem(reason);
  });

  const send = (): void => {
    const message = text.trim();
    if (message === "" && images.length === 0) return;
    onPrompt(message, [...images]);
    setText("");
    setImages([]);
    setProblem(null);
  };

  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  const onPaste = (event: ClipboardEvent): void => {
    const files = pastedImages(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    if (files.some((file) => file.size > imageLimit)) return setProblem("That picture is larger than 3 MB.");
    if (images.length + files.length > imageCount)
      return setProblem(`At most ${imageCount} pictures per prompt.`);
    Promise.all(files.map(readImage)).then(
      (read) => setImages((have) => [...have, ...read]),
      (error: unknown) => setProblem(String(error)),
    );
  };

  const empty = text.trim() === "" && images.length === 0;
  return (
    <form
      aria-label="Prompt"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="rounded-lg border border-edge bg-raised transition-colors focus-within:border-accent"
    >
      {images.length > 0 && (
        <ul className="flex gap-2 px-3 pt-3">
          {images.map((image, index) => (
            // Pictures have no identity but their place
            <li key={index} className="relative">
              <img
                alt="To be sent"
                src={`data:${image.mime_type};base64,${image.data}`}
                className="h-14 rounded-md border border-line"
              />
              <button
                type="button"
                aria-label="Remove picture"
                onClick={() => setImages(images.filter((_, at) => at !== index))}
                className="absolute -top-1.5 -right-1.5 rounded-full border border-edge bg-raised p-0.5 text-muted hover:text-ink"
              >
                <X size={12} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="phone:flex phone:items-end">
        <textarea
          ref={field}
          rows={1}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
          onPaste={onPaste}
          aria-label="Prompt"
          placeholder={busy ? "Write what comes next" : "Ask for something to be done"}
          className="block max-h-[40vh] w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-prose outline-none phone:min-w-0 phone:flex-1 phone:py-3.5 phone:text-[1rem]"
        />
        <div className="flex min-h-10 items-center gap-3 px-2 pb-2 pl-3.5 phone:gap-1.5 phone:p-1">
          <p role="alert" className="min-w-0 flex-1 text-xs text-failed phone:hidden">
            {problem}
          </p>
          <Hints busy={busy} />
          {busy && (
            <button
              type="button"
              onClick={stop}
              aria-label="Stop"
              title="Stop (Esc)"
              className="flex size-8 items-center justify-center rounded-md border border-edge text-ink hover:bg-hover phone:size-11"
            >
              <Square size={12} fill="currentColor" aria-hidden />
            </button>
          )}
          {(!busy || !empty) && (
            <button
              type="submit"
              disabled={empty}
              aria-label={busy ? "Queue" : "Send"}
              title={busy ? "Queue (Enter)" : "Send (Enter)"}
              className="flex size-8 items-center justify-center rounded-md bg-fill text-on-fill hover:bg-fill-hover disabled:bg-selected disabled:text-faint phone:size-11"
            >
              {busy ? <ListPlus size={17} aria-hidden /> : <ArrowUp size={17} aria-hidden />}
            </button>
          )}
        </div>
      </div>
      {problem !== null && <p className="hidden px-3.5 pb-2 text-xs text-failed phone:block">{problem}</p>}
    </form>
  );
}

function Hints({ busy }: { busy: boolean }) {
  return (
    <p aria-hidden className="flex shrink-0 gap-3 text-xs text-faint phone:hidden">
      <span>{busy ? "Queue" : "Send"} ⏎</span>
      <span>New line ⇧⏎</span>
      {busy && <span>Stop Esc</span>}
    </p>
  );
}

/** A prompt that the server refused comes back into the field, with the reason beside it. */
function useRefused(onRefused: (item: OutboxItem, reason: string) => void): void {
  const feed = useFeed();
  const refused = useFeedState((state) => state.refused);
  useEffect(() => {
    if (refused === null) return;
    onRefused(refused.item, refused.reason);
    feed.clearRefused();
  });
}

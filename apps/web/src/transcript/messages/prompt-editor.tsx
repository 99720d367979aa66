// A prompt that is being edited, in its place. Nothing has happened before it is sent: then the conversation goes back to
// before the prompt, and both branches are kept.
import { X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { isPhone } from "../../device/is-phone.ts";
import { errorMessage } from "../../format/error-message.ts";
import { usePreferences } from "../../preferences/preferences.ts";
import { enterMeaning, useSendKeyNames } from "../../preferences/send-key.ts";
import { Button } from "../../ui/button.tsx";
import { Picture } from "../../ui/picture.tsx";
import { transcriptTexts } from "../texts.ts";
import { type EditedPrompt, useEditedPrompts } from "./edited-prompts.ts";
import { usePromptAgain } from "./prompt-again.ts";

export function PromptEditor({ entryId, prompt }: { entryId: string; prompt: EditedPrompt }) {
  const { ready, send } = usePromptAgain(entryId);
  const change = useEditedPrompts((store) => store.change);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const keys = useSendKeyNames();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = field;
    current?.focus({ preventScroll: true });
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const { text, images } = prompt;
  const canSend = ready && !sending && (text.trim() !== "" || images.length > 0);
  const submit = (): void => {
    if (!canSend) return;
    setSending(true);
    setProblem(null);
    send(text, images).then(
      () => change(entryId, null),
      (error: unknown) => {
        setSending(false);
        setProblem(errorMessage(error));
      },
    );
  };
  const key = (event: KeyboardEvent): void => {
    event.stopPropagation(); // Esc would also stop the agent
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") change(entryId, null);
    else if (isSending(event)) submit();
    else return;
    event.preventDefault();
  };
  return (
    <form
      className="mt-1 rounded-md border border-edge bg-raised focus-within:border-fill"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={field}
        dir="auto"
        aria-label={transcriptTexts.editedPrompt}
        value={text}
        onChange={({ target }) => change(entryId, { text: target.value, images })}
        onKeyDown={key}
        className="block field-sizing-content max-h-[50vh] min-h-16 w-full resize-none bg-transparent px-3 py-2 text-prose outline-none"
      />
      {images.length > 0 && (
        <ul className="flex flex-wrap gap-2 px-3 pb-2">
          {images.map((image, at) => (
            // Pictures have no identity but their place
            <li key={at} className="flex items-start gap-1 rounded-md border border-line p-1">
              <Picture alt={transcriptTexts.attached} src={`data:${image.mime_type};base64,${image.data}`} />
              <button
                type="button"
                aria-label={transcriptTexts.removeImage}
                title={transcriptTexts.removeImage}
                onClick={() => change(entryId, { text, images: images.filter((_, other) => other !== at) })}
                className="flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-ink phone:size-11"
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-2 py-1.5">
        <span className="mr-auto pl-1 text-xs text-faint phone:hidden">
          {transcriptTexts.editKeys(keys.send)}
        </span>
        {problem !== null && (
          <span role="alert" className="basis-full text-xs text-failed">
            {problem}
          </span>
        )}
        <Button look="quiet" onClick={() => change(entryId, null)}>
          {transcriptTexts.cancelEdit}
        </Button>
        <Button look="primary" type="submit" disabled={!canSend}>
          {transcriptTexts.sendEdited}
        </Button>
      </div>
    </form>
  );
}

/** As in the composer. A phone's Enter makes a new line. */
function isSending(event: KeyboardEvent): boolean {
  const isPlain = !event.ctrlKey && !event.metaKey;
  return !(isPlain && isPhone()) && enterMeaning(event, usePreferences.getState().sendKey) !== null;
}

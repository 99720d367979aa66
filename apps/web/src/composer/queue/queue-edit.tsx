// A prompt that waits, being rewritten in its place. Enter saves, Esc leaves it as it was.
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import { composerTexts } from "../texts.ts";

interface Props {
  text: string;
  onChange(text: string): void;
  onSave(): void;
  onCancel(): void;
}

export function QueueEdit({ text, onChange, onSave, onCancel }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const end = field.current?.value.length ?? 0;
    field.current?.focus();
    field.current?.setSelectionRange(end, end);
  }, []);
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onCancel();
    else if (event.key === "Enter" && !event.shiftKey) onSave();
    else return;
    event.preventDefault();
  };
  return (
    <li className="border-b border-line p-1.5 last:border-b-0">
      <form
        className="flex items-end gap-1.5"
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        <textarea
          ref={field}
          aria-label={composerTexts.queued}
          rows={Math.min(6, text.split("\n").length)}
          value={text}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={onKey}
          className="min-w-0 flex-1 resize-none rounded-sm border border-edge bg-canvas px-2 py-1 text-sm phone:py-2.5 phone:text-[1rem]"
        />
        <Button look="plain" type="submit">
          {composerTexts.save}
        </Button>
      </form>
    </li>
  );
}

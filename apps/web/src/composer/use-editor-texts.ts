// What extensions put into the composer. An insertion joins what is written, at the cursor; a replacement can
// be taken back, because what a person wrote is never lost to a program.
import type { PromptImage } from "@patchbay/protocol";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useFeed } from "../connection/use-feed.ts";

export interface Replaced {
  source: string;
  /** The text before. */
  before: string;
}

export function useEditorTexts(
  field: RefObject<HTMLTextAreaElement | null>,
  setText: (change: (text: string) => string) => void,
  onImages: (images: readonly PromptImage[]) => void,
): { replaced: Replaced | null; undo(): void; forget(): void } {
  const feed = useFeed();
  const [replaced, setReplaced] = useState<Replaced | null>(null);
  const images = useRef(onImages);
  useEffect(() => {
    images.current = onImages;
  });
  useEffect(
    () =>
      feed.store.subscribe(() => {
        for (const put of feed.takeEditorTexts()) {
          const before = field.current?.value ?? "";
          if (put.kind === "insert") setText((text) => inserted(text, put.text, field.current));
          else if (put.kind === "join")
            setText((text) => (text.trim() === "" ? put.text : `${put.text}\n\n${text}`));
          else {
            setText(() => put.text);
            if (before.trim() !== "" && before !== put.text) setReplaced({ source: put.source, before });
          }
          if (put.images !== undefined) images.current(put.images);
          if (matchMedia("(pointer: fine)").matches) field.current?.focus();
        }
      }),
    [feed, field, setText],
  );
  return {
    replaced,
    undo: () => {
      if (replaced !== null) setText(() => replaced.before);
      setReplaced(null);
    },
    forget: () => setReplaced(null),
  };
}

/** At the cursor, separated from the text around it. */
function inserted(text: string, piece: string, field: HTMLTextAreaElement | null): string {
  const at = field === null || field.value !== text ? text.length : field.selectionStart;
  const before = text.slice(0, at);
  const after = text.slice(field === null || field.value !== text ? at : field.selectionEnd);
  const gapBefore = before === "" || /\s$/.test(before) || /^\s/.test(piece) ? "" : " ";
  const gapAfter = after === "" || /^\s/.test(after) || /\s$/.test(piece) ? "" : " ";
  return `${before}${gapBefore}${piece}${gapAfter}${after}`;
}

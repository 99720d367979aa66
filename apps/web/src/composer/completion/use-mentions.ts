// The list of files while an @ is being written: follows the cursor, and completes where it stands.
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { PathSuggestion } from "../../api/search.ts";
import { useFeed } from "../../connection/use-feed.ts";
import { completeMention, mentionAt, mentionOf } from "./mention.ts";
import { type OptionMenu, useOptionMenu } from "./use-option-menu.ts";
import { usePaths } from "./use-paths.ts";

export function useMentions(
  text: string,
  field: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
): { menu: OptionMenu<PathSuggestion>; moved(): void } {
  const feed = useFeed();
  const [cursor, setCursor] = useState(0);
  // A draft that ends in an @ is not being written.
  const [touched, setTouched] = useState(false);
  const mention = touched ? mentionAt(text, cursor) : null;
  const paths = usePaths(feed.id, mention?.query ?? null);
  // The cursor can be put where it belongs only once the field has the new text.
  const wanted = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (wanted.current === null || field.current === null) return;
    field.current.focus();
    field.current.setSelectionRange(wanted.current, wanted.current);
    wanted.current = null;
  });
  const menu = useOptionMenu({
    text: `${mention?.start} ${mention?.query}`,
    found: mention === null ? null : paths,
    onChoose: ({ path }) => {
      if (mention === null) return;
      const completed = completeMention(text, mention, path);
      wanted.current = completed.cursor;
      setCursor(completed.cursor);
      setText(completed.text);
    },
    isComplete: ({ path }) => mention !== null && text.slice(mention.start, mention.end) === mentionOf(path),
  });
  return {
    menu,
    moved() {
      setTouched(true);
      if (field.current !== null) setCursor(field.current.selectionStart);
    },
  };
}

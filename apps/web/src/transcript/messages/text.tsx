// The text of an answer. Until the markdown chunk is loaded it is shown as plain text, which is readable and has
// nearly the same height.
import { type ComponentType, memo, Suspense } from "react";
import { lazyPart } from "../../ui/lazy-part.ts";

interface Props {
  text: string;
  live: boolean;
}

/** Once loaded it is rendered directly: a lazy component is always rendered twice, first as its fallback. */
let loaded: ComponentType<Props> | null = null;

async function load(): Promise<{ default: ComponentType<Props> }> {
  const module = await import("../markdown/streamed-markdown.tsx");
  loaded = module.default;
  return module;
}

const Lazy = lazyPart(load);

/** Starts loading before the first answer needs it. */
export const preloadMarkdown = (): Promise<unknown> => load();

export const Text = memo(function Text({ text, live }: Props) {
  if (text.trim() === "") return null;
  const Markdown = loaded ?? Lazy;
  return (
    <Suspense fallback={<div className="prose [unicode-bidi:plaintext] whitespace-pre-wrap">{text}</div>}>
      <Markdown text={text} live={live} />
    </Suspense>
  );
});

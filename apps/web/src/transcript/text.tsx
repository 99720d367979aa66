// The words of an answer. Until the markdown chunk is there they are shown as they are, which is
// readable and has nearly the same height.
import { lazy, memo, Suspense } from "react";

const load = () => import("./markdown/streamed-markdown.tsx");
const Markdown = lazy(load);

/** Starts loading before the first answer needs it; for whoever comes by a session's address, with the page itself. */
export const preloadMarkdown = (): void => void load();
if (globalThis.location?.pathname.includes("/sessions/")) preloadMarkdown();

export const Text = memo(function Text({ text, live }: { text: string; live: boolean }) {
  if (text.trim() === "") return null;
  return (
    <Suspense fallback={<div className="prose whitespace-pre-wrap">{text}</div>}>
      <Markdown text={text} live={live} />
    </Suspense>
  );
});

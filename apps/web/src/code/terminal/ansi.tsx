// Terminal output with its colours. The parser is a chunk of its own; until it is loaded the text is shown without colours.
import { Suspense } from "react";
import { lazyPart } from "../../ui/lazy-part.ts";

const TerminalText = lazyPart(() => import("./terminal-text.tsx"));

// oxlint-disable-next-line no-control-regex -- escapes are what is taken out
const escapes = /\u001b\[[\d;?]*[A-Za-z]/g;
/** What fits on a screen, several times over. */
const plainLength = 16 * 1024;

export const Ansi = ({ text }: { text: string }) => (
  <Suspense fallback={text.slice(-plainLength).replace(escapes, "")}>
    <TerminalText text={text} />
  </Suspense>
);

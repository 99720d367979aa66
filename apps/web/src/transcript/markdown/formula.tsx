// A formula as MathML, which browsers draw themselves: no fonts, no styles of its own. The typesetter is loaded when
// the first formula is shown; until then, and when a formula is wrong, its source is shown.
import { memo, useEffect, useState } from "react";
import { transcriptTexts } from "../texts.ts";

type Typeset = (text: string, display: boolean) => string | null;

let typeset: Typeset | null = null;
let loading: Promise<Typeset> | null = null;

async function load(): Promise<Typeset> {
  const { default: temml } = await import("temml");
  typeset = (text, display) => {
    try {
      // Not trusted: commands that link or style are refused. Bounded, because a model may write a macro bomb.
      return temml.renderToString(text, {
        displayMode: display,
        trust: false,
        maxExpand: 500,
        throwOnError: true,
      });
    } catch {
      return null; // no formula: shown as it was written
    }
  };
  return typeset;
}

export const Formula = memo(function Formula({ text, display }: { text: string; display: boolean }) {
  const [ready, setReady] = useState(typeset !== null);
  useEffect(() => {
    if (ready) return;
    let gone = false;
    loading ??= load();
    loading.then(
      () => {
        if (!gone) setReady(true);
      },
      () => {
        loading = null; // the source is readable; the next formula tries again
      },
    );
    return () => {
      gone = true;
    };
  }, [ready]);
  const html = ready ? (typeset?.(text, display) ?? null) : null;
  if (html === null) return <code className={display ? "block" : undefined}>{text}</code>;
  if (!display) return <span dangerouslySetInnerHTML={{ __html: html }} />;
  return (
    // A wide formula scrolls, with the keyboard too
    <span
      tabIndex={0}
      role="group"
      aria-label={transcriptTexts.formula}
      className="block overflow-x-auto py-1"
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});

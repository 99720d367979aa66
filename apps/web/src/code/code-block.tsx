// A block of code with its language and a copy button. Coloured once it is settled.
import { memo } from "react";
import { CopyButton } from "../ui/feedback/copy-button.tsx";
import { useHighlighted } from "./highlight/highlight.ts";
import { codeTexts } from "./texts.ts";

interface Props {
  code: string;
  language: string;
  settled: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, settled }: Props) {
  return (
    <figure className="group/code overflow-hidden rounded-md border border-line bg-sunken">
      <figcaption className="flex h-7 items-center justify-between phone:h-11 border-b border-line pr-1 pl-3 text-xs text-faint">
        <span className="font-mono">{language === "" ? codeTexts.plainText : language}</span>
        <CopyButton text={code} label={codeTexts.copyCode} />
      </figcaption>
      <Code code={code} language={language} settled={settled} className="px-3 py-2.5" />
    </figure>
  );
});

/** The code alone, for places that have their own frame. */
export function Code({ code, language, settled, className }: Props & { className?: string }) {
  const html = useHighlighted(code, language, settled);
  const classes = `overflow-x-auto font-mono text-[0.8125rem] leading-5 ${className ?? ""}`;
  return (
    // What scrolls must scroll with the keyboard
    <pre className={classes} tabIndex={0} role="group" aria-label={codeTexts.code}>
      {html === null ? <code>{code}</code> : <code dangerouslySetInnerHTML={{ __html: html }} />}
    </pre>
  );
}

// Copies a text and says so for a moment; where the browser does not let it, says that.
import { Check, Copy } from "lucide-react";
import { type MouseEvent, useEffect, useState } from "react";
import { uiTexts } from "../texts.ts";
import { copyText } from "./copy-text.ts";
import { showProblem } from "./problem.ts";

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async ({ currentTarget }: MouseEvent): Promise<void> => {
    const done = await copyText(text, currentTarget);
    setCopied(done);
    if (!done) showProblem(uiTexts.copyRefused);
  };
  return (
    <button
      type="button"
      onClick={(event) => void copy(event)} // it never rejects
      aria-label={copied ? uiTexts.copied : label}
      title={label}
      className="flex h-6 items-center justify-center gap-1 rounded-sm px-1.5 text-xs text-faint hover:bg-hover hover:text-ink phone:size-11"
    >
      {copied ? <Check size={13} className="text-done" /> : <Copy size={13} />}
    </button>
  );
}

// Copies a text and says so for a moment.
import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (copied === "idle") return;
    const timer = setTimeout(() => setCopied("idle"), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    // The clipboard exists only on https and localhost.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard here"));
    written.then(
      () => setCopied("copied"),
      () => setCopied("refused"),
    );
  };
  const title = copied === "refused" ? "The browser refused: select the text and copy it" : label;
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={copied === "copied" ? "Copied" : title}
      title={title}
      className="flex h-6 items-center gap-1 rounded-sm px-1.5 text-xs text-faint hover:bg-hover hover:text-ink"
    >
      {copied === "copied" ? <Check size={13} className="text-done" /> : <Copy size={13} />}
    </button>
  );
}

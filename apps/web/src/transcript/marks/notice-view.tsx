// A message that is not from the model: a line for a notice, a note with a border for what an extension displays,
// which may be long and has its own markdown.
import { CircleCheck, Info, TriangleAlert } from "lucide-react";
import { Text } from "../messages/text.tsx";
import { marksTexts as texts } from "./texts.ts";

interface Props {
  source: string;
  level: string;
  text: string;
  count: number;
}

const looks: Readonly<Record<string, { Icon: typeof Info; ink: string }>> = {
  error: { Icon: TriangleAlert, ink: "text-failed" },
  warn: { Icon: TriangleAlert, ink: "text-accent" },
  success: { Icon: CircleCheck, ink: "text-done" },
};

export function NoticeView({ source, level, text, count }: Props) {
  if (level === "display") {
    return (
      <section
        aria-label={texts.noteFrom(source)}
        className="my-2 rounded-md border border-line bg-raised px-3.5 py-2.5"
      >
        <p className="text-xs text-faint">{source}</p>
        <Text text={text} live={false} />
      </section>
    );
  }
  const { Icon, ink } = looks[level] ?? { Icon: Info, ink: "text-faint" };
  return (
    <p data-notice={level} className="my-1 flex gap-2 text-sm text-muted">
      <Icon size={15} aria-hidden className={`mt-[3px] shrink-0 ${ink}`} />
      <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">
        <span className="text-faint">{source} · </span>
        {text}
        {count > 1 && (
          <span title={texts.repeated(count)} className="text-faint tabular-nums">
            {" "}
            ×{count}
          </span>
        )}
      </span>
    </p>
  );
}

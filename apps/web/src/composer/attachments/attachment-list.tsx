// What goes with the prompt, shown small, and taken back one by one.
import { FileText, X } from "lucide-react";
import { composerTexts } from "../texts.ts";
import type { Attachments } from "./attachments.ts";

interface Props {
  attachments: Attachments;
  onChange(attachments: Attachments): void;
}

export default function AttachmentList({ attachments, onChange }: Props) {
  const { images, texts } = attachments;
  return (
    <ul aria-label={composerTexts.attached} className="flex flex-wrap gap-2 px-3 pt-3">
      {images.map((image, index) => (
        // Pictures have no identity but their place
        <li key={index} className="relative">
          <img
            alt={composerTexts.imageToSend}
            src={`data:${image.mime_type};base64,${image.data}`}
            className="h-14 rounded-md border border-line"
          />
          <Remove
            label={composerTexts.removeImage}
            onClick={() => onChange({ ...attachments, images: without(images, index) })}
          />
        </li>
      ))}
      {texts.map(({ name, text }, index) => (
        // The same file may be there twice
        <li
          key={index}
          title={text.slice(0, 600)}
          className="relative flex h-14 max-w-60 items-center gap-2.5 rounded-md border border-line bg-sunken pr-4 pl-3"
        >
          <FileText size={16} aria-hidden className="shrink-0 text-faint" />
          <span className="min-w-0">
            <span className="block truncate text-sm">{name}</span>
            <span className="block text-xs text-faint">{composerTexts.lines(text.split("\n").length)}</span>
          </span>
          <Remove
            label={composerTexts.removeFile(name)}
            onClick={() => onChange({ ...attachments, texts: without(texts, index) })}
          />
        </li>
      ))}
    </ul>
  );
}

const without = <T,>(all: readonly T[], index: number): T[] => all.filter((_, at) => at !== index);

const Remove = ({ label, onClick }: { label: string; onClick(): void }) => (
  <button
    type="button"
    aria-label={label}
    onClick={onClick}
    className="absolute -top-1.5 -right-1.5 rounded-full border border-edge bg-raised p-0.5 text-muted before:absolute before:-inset-3 hover:text-ink"
  >
    <X size={12} aria-hidden />
  </button>
);

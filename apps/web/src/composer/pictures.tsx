// The pictures that go with a prompt: pasted, shown small, and taken back one by one.
import type { PromptImage } from "@patchbay/protocol";
import { X } from "lucide-react";
import { type ClipboardEvent, useState } from "react";
import { useFeedState } from "../connection/use-feed.ts";
import { imageCount, imageLimit, pastedImages, readImage } from "./images.ts";

export function usePictures(onProblem: (problem: string) => void) {
  const [images, setImages] = useState<readonly PromptImage[]>([]);
  // A worker that sleeps may be able to; it says so when it gets them.
  const refuses = useFeedState(
    ({ session }) =>
      session !== null && session.capabilities.length > 0 && !session.capabilities.includes("images"),
  );
  const onPaste = (event: ClipboardEvent): void => {
    const files = pastedImages(event.clipboardData);
    if (files.length === 0) return;
    event.preventDefault();
    if (refuses) return onProblem("This agent takes no pictures.");
    if (files.some((file) => file.size > imageLimit)) return onProblem("That picture is larger than 3 MB.");
    if (images.length + files.length > imageCount)
      return onProblem(`At most ${imageCount} pictures per prompt.`);
    Promise.all(files.map(readImage)).then(
      (read) => setImages((have) => [...have, ...read]),
      (error: unknown) => onProblem(String(error)),
    );
  };
  const putBack = (back: readonly PromptImage[]): void =>
    setImages((have) => [...back, ...have].slice(0, imageCount));
  return { images, setImages, onPaste, putBack };
}

interface Props {
  images: readonly PromptImage[];
  onChange(images: readonly PromptImage[]): void;
}

export function Pictures({ images, onChange }: Props) {
  if (images.length === 0) return null;
  return (
    <ul className="flex gap-2 px-3 pt-3">
      {images.map((image, index) => (
        // Pictures have no identity but their place
        <li key={index} className="relative">
          <img
            alt="To be sent"
            src={`data:${image.mime_type};base64,${image.data}`}
            className="h-14 rounded-md border border-line"
          />
          <button
            type="button"
            aria-label="Remove picture"
            onClick={() => onChange(images.filter((_, at) => at !== index))}
            className="absolute -top-1.5 -right-1.5 rounded-full border border-edge bg-raised p-0.5 text-muted hover:text-ink"
          >
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}

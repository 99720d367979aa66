// Files may be dropped anywhere on the page: on a session they go to its composer, elsewhere to that of the
// active session. Without this a browser would leave the page to open the file, and lose what was written.
import { Paperclip } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { activeSession } from "../../connection/open-feeds.ts";
import { useFeed } from "../../connection/use-feed.ts";
import { composerTexts } from "../texts.ts";

interface Props {
  onFiles(files: readonly File[]): void;
  children: ReactNode;
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;

export function DropZone({ onFiles, children }: Props) {
  const feed = useFeed();
  const zone = useRef<HTMLDivElement>(null);
  const [hovers, setHovers] = useState(false);
  useEffect(() => {
    const isForUs = ({ target }: DragEvent): boolean => {
      const pane = target instanceof Element ? target.closest("[data-pane]") : null;
      return pane === null ? activeSession() === feed.id : pane.contains(zone.current);
    };
    const over = (event: DragEvent): void => {
      if (hasFiles(event)) setHovers(isForUs(event));
    };
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setHovers(false); // the pointer has left the window
    };
    const dropped = (event: DragEvent): void => {
      setHovers(false);
      if (hasFiles(event) && isForUs(event)) onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", left);
    window.addEventListener("drop", dropped);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", left);
      window.removeEventListener("drop", dropped);
    };
  });
  return (
    <div ref={zone} className="relative">
      {children}
      {hovers && (
        <p className="pointer-events-none absolute inset-0 flex items-center justify-center gap-2 rounded-lg border-2 border-dashed border-accent bg-canvas/85 text-sm font-medium text-accent">
          <Paperclip size={15} aria-hidden /> {composerTexts.drop}
        </p>
      )}
    </div>
  );
}

/** For the whole page, with or without a session on it. */
export function useKeepPageOnDrop(): void {
  useEffect(() => {
    const keep = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    window.addEventListener("dragover", keep);
    window.addEventListener("drop", keep);
    return () => {
      window.removeEventListener("dragover", keep);
      window.removeEventListener("drop", keep);
    };
  }, []);
}

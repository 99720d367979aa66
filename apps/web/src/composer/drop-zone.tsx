// Files may be dropped anywhere on the composer; while they hover, it says so.
import { Paperclip } from "lucide-react";
import { type DragEvent, type ReactNode, useState } from "react";

interface Props {
  onFiles(files: readonly File[]): void;
  children: ReactNode;
}

export function DropZone({ onFiles, children }: Props) {
  const [hovers, setHovers] = useState(false);
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- files also come by the button and the clipboard
    <div
      className="relative"
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setHovers(true);
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget))
          setHovers(false);
      }}
      onDrop={(event) => {
        setHovers(false);
        if (!hasFiles(event)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {hovers && (
        <p className="pointer-events-none absolute inset-0 flex items-center justify-center gap-2 rounded-lg border-2 border-dashed border-accent bg-canvas/85 text-sm font-medium text-accent">
          <Paperclip size={15} aria-hidden /> Drop to attach
        </p>
      )}
    </div>
  );
}

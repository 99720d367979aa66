// Says that the server cannot write its logs (a full disk): the agent waits until a person has made room.
// Read from the list, which is polled: the session socket sends this after frames, and those now wait for the disk.
import { HardDrive } from "lucide-react";
import { useFeed } from "../../connection/use-feed.ts";
import { useListed } from "../../session-list/session-list.ts";
import { bannersTexts } from "./texts.ts";

export function TroubleBanner() {
  const { id } = useFeed();
  const trouble = useListed(id)?.trouble;
  if (trouble === undefined) return null;
  return (
    <section
      role="alert"
      aria-label={bannersTexts.trouble}
      className="flex shrink-0 animate-appear items-start gap-2.5 border-b border-failed/35 bg-failed-soft px-5 py-2 text-sm phone:px-4"
    >
      <HardDrive size={15} aria-hidden className="mt-[3px] shrink-0 text-failed" />
      <p className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium text-failed">{bannersTexts.cannotSave}</span>{" "}
        <span className="text-muted">
          {trouble} {bannersTexts.freeSpace}
        </span>
      </p>
    </section>
  );
}

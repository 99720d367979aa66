// The dialog that starts a session: prompt, directory, agent, model. What the server refuses is shown beside
// the field it is about.
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { NewSessionForm } from "./new-session-form.tsx";
import { newSessionTexts } from "./texts.ts";
import { useWorkers } from "./use-workers.ts";

export function NewSessionDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={newSessionTexts.newSession} focusesItself>
      <Content onClose={onClose} />
    </Dialog>
  );
}

function Content({ onClose }: { onClose(): void }) {
  const known = useWorkers();
  if (known.state === "failed") {
    return (
      <p role="alert" className="text-sm text-failed">
        {known.message}
      </p>
    );
  }
  if (known.state === "loading") {
    return (
      <div role="status" aria-label={newSessionTexts.loading} className="flex flex-col gap-7 pb-2">
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
      </div>
    );
  }
  return <NewSessionForm known={known.workers} onClose={onClose} />;
}

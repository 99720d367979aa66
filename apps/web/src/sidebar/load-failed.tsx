// The list could not be loaded.
import { useSessionList } from "../session-list/session-list.ts";
import { Button } from "../ui/button.tsx";
import { sidebarTexts } from "./texts.ts";

export function LoadFailed({ message }: { message: string }) {
  const refresh = useSessionList((list) => list.refresh);
  return (
    <div role="alert" className="m-2 text-sm text-muted">
      <p className="mb-2">{message}</p>
      <Button look="plain" onClick={() => void refresh()}>
        {sidebarTexts.tryAgain}
      </Button>
    </div>
  );
}

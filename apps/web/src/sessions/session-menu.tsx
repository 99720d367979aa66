// What can be done with a session as a whole.
import type { Session } from "@patchbay/protocol";
import { CircleStop, Ellipsis, Eraser, FoldVertical, Gauge, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { inWords } from "../api/call.ts";
import { useSessionList } from "../api/session-list.ts";
import { deleteSession, stopSession } from "../api/sessions.ts";
import { useCan, useSwitch } from "../connection/use-can.ts";
import { useFeed } from "../connection/use-feed.ts";
import { Button } from "../ui/button.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuItem, MenuLine, MenuSwitch } from "../ui/menu.tsx";
import { SessionDetails } from "./session-details.tsx";
import { useRenaming } from "./session-name.tsx";

export function SessionMenu({ session }: { session: Session }) {
  const feed = useFeed();
  const [problem, setProblem] = useState<string | null>(null);
  const [shown, setShown] = useState<"clear" | "delete" | "details" | null>(null);
  const [, navigate] = useLocation();
  const remove = useSessionList((list) => list.remove);
  const asleep = session.state === "stopped" || session.state === "failed";
  const attempt = (what: Promise<unknown>): void => {
    what.catch((error: unknown) => setProblem(inWords(error)));
  };
  const canCompact = useCan("compact");
  const compact = (): void => attempt(feed.ask({ type: "compact" }));
  return (
    <>
      {canCompact && (
        <span className="phone:hidden">
          <IconButton label="Compact the context" onClick={compact} disabled={session.message_count === 0}>
            <FoldVertical size={15} aria-hidden />
          </IconButton>
        </span>
      )}
      <Menu
        trigger={
          <IconButton label="Session menu">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={() => useRenaming.setState({ id: session.id })}>
          Rename
        </MenuItem>
        <MenuItem icon={<Gauge size={14} />} onSelect={() => setShown("details")}>
          Details
        </MenuItem>
        {canCompact && (
          <MenuItem icon={<FoldVertical size={14} />} onSelect={compact}>
            Compact the context
          </MenuItem>
        )}
        <MenuItem
          icon={<Eraser size={14} />}
          disabled={session.state === "busy"}
          onSelect={() => setShown("clear")}
        >
          Clear the transcript
        </MenuItem>
        <MenuItem
          icon={<CircleStop size={14} />}
          disabled={asleep}
          onSelect={() => attempt(stopSession(session.id))}
        >
          Stop the worker
        </MenuItem>
        <Automatisms onAsk={(command) => attempt(feed.ask(command))} />
        <MenuLine />
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => setShown("delete")}>
          Delete the session
        </MenuItem>
      </Menu>
      <Dialog
        open={problem !== null}
        onOpenChange={() => setProblem(null)}
        title="That did not work"
        description={problem ?? ""}
      >
        <Button look="plain" onClick={() => setProblem(null)}>
          Close
        </Button>
      </Dialog>
      <SessionDetails session={session} open={shown === "details"} onClose={() => setShown(null)} />
      <Confirm
        open={shown === "clear"}
        title="Clear the transcript?"
        description="The agent forgets everything said so far, and it is gone from the screen for good. Files it changed stay as they are, and what it cost stays counted."
        verb="Clear"
        onClose={() => setShown(null)}
        onConfirm={() => feed.ask({ type: "clear" })}
      />
      <Confirm
        open={shown === "delete"}
        title={`Delete “${session.name}”?`}
        description="Its worker is ended and its transcript is gone for good. Files it changed stay as they are, and what it cost stays in the books."
        verb="Delete"
        onClose={() => setShown(null)}
        onConfirm={async () => {
          await deleteSession(session.id);
          remove(session.id);
          navigate("/");
        }}
      />
    </>
  );
}

interface AutomatismsProps {
  onAsk(command: { type: string; enabled: boolean }): void;
}

/** What the worker does by itself, where it can and says whether it does. */
function Automatisms({ onAsk }: AutomatismsProps) {
  const compaction = useSwitch("auto_compaction");
  const retry = useSwitch("auto_retry");
  const canCompact = useCan("auto_compaction") && compaction !== undefined;
  const canRetry = useCan("auto_retry") && retry !== undefined;
  if (!canCompact && !canRetry) return null;
  return (
    <>
      <MenuLine />
      {canCompact && (
        <MenuSwitch on={compaction} onChange={(enabled) => onAsk({ type: "set_auto_compaction", enabled })}>
          Compact when nearly full
        </MenuSwitch>
      )}
      {canRetry && (
        <MenuSwitch on={retry} onChange={(enabled) => onAsk({ type: "set_auto_retry", enabled })}>
          Retry failed model calls
        </MenuSwitch>
      )}
    </>
  );
}

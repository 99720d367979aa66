// What can be done with a session as a whole.
import type { Session } from "@patchbay/protocol";
import { CircleStop, Ellipsis, Eraser, FoldVertical, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { inWords } from "../api/call.ts";
import { useSessionList } from "../api/session-list.ts";
import { deleteSession, stopSession } from "../api/sessions.ts";
import { useFeed } from "../connection/use-feed.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Menu, MenuItem, MenuLine } from "../ui/menu.tsx";
import { useRenaming } from "./session-name.tsx";

export function SessionMenu({ session }: { session: Session }) {
  const feed = useFeed();
  const [problem, setProblem] = useState<string | null>(null);
  const [deleting, setDeleting] = useState(false);
  const asleep = session.state === "stopped" || session.state === "failed";
  const attempt = (what: Promise<unknown>): void => {
    what.catch((error: unknown) => setProblem(inWords(error)));
  };
  const compact = (): void => attempt(feed.ask({ type: "compact" }));
  return (
    <>
      <span className="phone:hidden">
        <IconButton label="Compact the context" onClick={compact} disabled={session.message_count === 0}>
          <FoldVertical size={15} aria-hidden />
        </IconButton>
      </span>
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
        <MenuItem icon={<FoldVertical size={14} />} onSelect={compact}>
          Compact the context
        </MenuItem>
        <MenuItem
          icon={<Eraser size={14} />}
          disabled={session.state === "busy"}
          onSelect={() => attempt(feed.ask({ type: "clear" }))}
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
        <MenuLine />
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => setDeleting(true)}>
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
      <DeleteDialog session={session} open={deleting} onClose={() => setDeleting(false)} />
    </>
  );
}

function DeleteDialog({ session, open, onClose }: { session: Session; open: boolean; onClose(): void }) {
  const [, navigate] = useLocation();
  const remove = useSessionList((list) => list.remove);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = (): void => {
    deleteSession(session.id).then(
      () => {
        remove(session.id);
        navigate("/");
      },
      (error: unknown) => setProblem(inWords(error)),
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      title={`Delete “${session.name}”?`}
      description="Its worker is ended and its transcript is gone for good. Files it changed stay as they are, and what it cost stays in the books."
    >
      {problem !== null && (
        <p role="alert" className="mb-3 text-sm text-failed">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button look="danger" onClick={confirm}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}

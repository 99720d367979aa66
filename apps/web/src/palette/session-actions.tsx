// What can be done with the session that is open. What it cannot do now, or its worker cannot at all, is not offered.
import {
  Archive,
  CircleHelp,
  CircleStop,
  Columns2,
  CornerRightDown,
  Download,
  Eraser,
  FileDiff,
  FoldVertical,
  Gauge,
  GitBranch,
  MessageSquareText,
  Pencil,
  Pin,
  RotateCw,
  Trash2,
  X,
} from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { isAtWork, stopCommand } from "../composer/stop.ts";
import type { SessionFeed } from "../connection/session-feed.ts";
import { isPhone } from "../device/is-phone.ts";
import { go, leave, sessionAddress, showsFiles } from "../navigation/session-address.ts";
import { focusQuestion } from "../questions/focus-question.ts";
import { archive, pin, remove, rename, stop } from "../sessions/actions.ts";
import { showDialog } from "../sessions/session-dialogs.tsx";
import { retryOf } from "../transcript/entries/entries.ts";
import { jumpOf } from "../transcript/jumps.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { Item, ItemGroup } from "./item.tsx";
import type { Page } from "./pages.tsx";

interface Props {
  feed: SessionFeed;
  split: boolean;
  onRun(action: () => void): void;
  onPage(page: Page): void;
}

/** Once the palette is gone: until then it keeps the focus. */
const afterwards = (action: () => void): void => void setTimeout(action);

export function SessionActions({ feed, split, onRun, onPage }: Props) {
  const session = useStore(feed.store, (state) => state.session);
  const transcript = useStore(feed.store, (state) => state.transcript);
  const sending = useStore(feed.store, (state) => state.sending.length > 0);
  const retry = useMemo(() => retryOf(transcript), [transcript]);
  if (session === null) return null;
  const can = (capability: string): boolean => session.capabilities.includes(capability);
  const asleep = session.state === "stopped" || session.state === "failed";
  const busy = isAtWork(session);
  const atRest = session.state === "idle" || session.state === "stopped";
  const files = showsFiles();
  const jump = jumpOf(session.id);
  const question = session.pending[0];
  const act = (what: () => Promise<unknown>) => () => onRun(() => attempt(what()));
  return (
    <ItemGroup title={session.name}>
      {question !== undefined && !files && (
        <Item
          id="answer"
          label="Answer the question"
          words={["approve", "reply", "needs you"]}
          icon={<CircleHelp size={15} />}
          detail={question.title ?? question.message}
          onSelect={() => onRun(() => afterwards(() => focusQuestion(session.id)))}
        />
      )}
      {busy && (
        <Item
          id="stop turn"
          label="Stop the agent"
          words={["abort", "cancel"]}
          icon={<CircleStop size={15} />}
          shortcut="Esc"
          onSelect={act(() => feed.ask(stopCommand(session)))}
        />
      )}
      {retry !== null && !busy && !sending && session.state !== "starting" && (
        <Item
          id="retry"
          label="Retry the last prompt"
          words={["again", "send"]}
          icon={<RotateCw size={15} />}
          onSelect={() => onRun(() => feed.prompt(retry.prompt.message, retry.prompt.images))}
        />
      )}
      {jump !== undefined && (
        <Item
          id="jump"
          label="Jump to latest"
          words={["end", "bottom", "newest"]}
          icon={<CornerRightDown size={15} />}
          onSelect={() => onRun(jump)}
        />
      )}
      {can("branch") && atRest && transcript.branches.length > 1 && (
        <Item
          id="branches"
          label="Show another branch…"
          words={["walk", "switch", "history"]}
          icon={<GitBranch size={15} />}
          onSelect={() => onPage("branches")}
        />
      )}
      <Item
        id="rename"
        label="Rename"
        words={["name", "title"]}
        icon={<Pencil size={15} />}
        onSelect={() => onRun(() => rename(session))}
      />
      <Item
        id="pin"
        label={session.pinned === true ? "Unpin" : "Pin"}
        icon={<Pin size={15} />}
        onSelect={act(() => pin(session))}
      />
      <Item
        id="archive"
        label={session.archived === true ? "Take out of the archive" : "Archive"}
        icon={<Archive size={15} />}
        onSelect={act(() => archive(session))}
      />
      {/* A phone shows one */}
      {!files && !isPhone() && (
        <Item
          id="beside"
          label="Open a session beside…"
          words={["split", "two", "side"]}
          icon={<Columns2 size={15} />}
          onSelect={() => onPage("beside")}
        />
      )}
      {split && (
        <Item
          id="close pane"
          label="Close this pane"
          words={["split"]}
          icon={<X size={15} />}
          onSelect={() => onRun(() => leave(session.id))}
        />
      )}
      <Item
        id="details"
        label="Details"
        words={["process", "memory", "cpu", "directory", "id"]}
        icon={<Gauge size={15} />}
        onSelect={() => onRun(() => showDialog(session.id, "details"))}
      />
      {files ? (
        <Item
          id="transcript"
          label="Back to the session"
          words={["transcript"]}
          icon={<MessageSquareText size={15} />}
          onSelect={() => onRun(() => go(sessionAddress(session.id)))}
        />
      ) : (
        <Item
          id="files"
          label="Files and changes"
          words={["diff", "browse", "edited"]}
          icon={<FileDiff size={15} />}
          onSelect={() => onRun(() => go(`${sessionAddress(session.id)}/files`))}
        />
      )}
      <Item
        id="export"
        label="Export…"
        words={["download", "html", "markdown", "jsonl", "save"]}
        icon={<Download size={15} />}
        onSelect={() => onPage("export")}
      />
      {can("compact") && (
        <Item
          id="compact"
          label="Compact the context"
          icon={<FoldVertical size={15} />}
          onSelect={act(() => feed.ask({ type: "compact" }))}
        />
      )}
      {session.state !== "busy" && (
        <Item
          id="clear"
          label="Clear the transcript"
          words={["empty", "forget", "reset"]}
          icon={<Eraser size={15} />}
          onSelect={() => onRun(() => showDialog(session.id, "clear"))}
        />
      )}
      {!asleep && (
        <Item
          id="stop worker"
          label="Stop the worker"
          words={["end", "kill"]}
          icon={<CircleStop size={15} />}
          onSelect={act(() => stop(session))}
        />
      )}
      <Item
        id="delete"
        label="Delete the session"
        words={["remove"]}
        icon={<Trash2 size={15} />}
        onSelect={act(() => remove(session))}
      />
    </ItemGroup>
  );
}

// What the palette offers first: sessions, then what can be done with the one that is open, then the rest.
import type { Session } from "@patchbay/protocol";
import {
  Archive,
  Bot,
  Brain,
  ChartNoAxesColumn,
  CircleStop,
  Columns2,
  Cpu,
  Download,
  FileDiff,
  FoldVertical,
  Keyboard,
  Moon,
  Pencil,
  Pin,
  Plus,
  Search,
  Settings,
  SquareSlash,
  Trash2,
  X,
} from "lucide-react";
import { useStore } from "zustand";
import { useSessions } from "../api/session-list.ts";
import type { SessionFeed } from "../connection/session-feed.ts";
import { formatCost } from "../format/money.ts";
import { baseName } from "../format/path.ts";
import { archive, pin, remove, rename, stop } from "../sessions/actions.ts";
import { attempt } from "../sessions/attempt.ts";
import { activeFeed } from "../sessions/open-feeds.ts";
import { go, leave, placeNow, sessionAddress } from "../sessions/places.ts";
import { StateDot, stateWord } from "../sessions/state-dot.tsx";
import { listedInOrder } from "./global-keys.ts";
import { Item, ItemGroup } from "./item.tsx";
import { show } from "./overlays.ts";
import type { Page } from "./pages.tsx";

interface Props {
  /** Nothing is typed yet. */
  empty: boolean;
  onRun(action: () => void): void;
  onPage(page: Page): void;
}

/** Without a letter typed: as many as one takes in at a glance. */
const atAGlance = 6;

export function HomeItems({ empty, onRun, onPage }: Props) {
  const feed = activeFeed();
  const { session: shown, beside } = placeNow();
  const sessions = useSessions();
  const ordered = [...listedInOrder(sessions), ...sessions.filter(({ archived }) => archived === true)];
  const others = [...new Set(ordered)].filter(({ id }) => id !== shown);
  return (
    <>
      <ItemGroup title="Sessions">
        {(empty ? others.slice(0, atAGlance) : others).map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            onSelect={() => onRun(() => go(sessionAddress(session.id)))}
          />
        ))}
        <Item
          id="new session"
          label="New session"
          words={["start", "create"]}
          icon={<Plus size={15} />}
          shortcut="N"
          onSelect={() => onRun(() => show("new-session"))}
        />
      </ItemGroup>
      {feed !== null && (
        <OpenSessionItems feed={feed} split={beside !== null} onRun={onRun} onPage={onPage} />
      )}
      <ItemGroup title="Go to">
        <Item
          id="search"
          label="Search all transcripts"
          words={["find", "full text"]}
          icon={<Search size={15} />}
          shortcut="F"
          onSelect={() => onRun(() => go("/search"))}
        />
        <Item
          id="costs"
          label="Costs"
          words={["money", "spending", "usage", "dollars"]}
          icon={<ChartNoAxesColumn size={15} />}
          onSelect={() => onRun(() => go("/costs"))}
        />
        <Item
          id="setup"
          label="Agents and models"
          words={["setup", "install", "keys", "workers"]}
          icon={<Bot size={15} />}
          onSelect={() => onRun(() => go("/setup"))}
        />
        <Item
          id="theme"
          label="Theme…"
          words={["light", "dark", "system", "colours"]}
          icon={<Moon size={15} />}
          onSelect={() => onPage("theme")}
        />
        <Item
          id="settings"
          label="Settings"
          words={["notifications", "preferences"]}
          icon={<Settings size={15} />}
          onSelect={() => onRun(() => show("settings"))}
        />
        <Item
          id="shortcuts"
          label="Shortcuts"
          words={["keys", "keyboard", "help"]}
          icon={<Keyboard size={15} />}
          shortcut="?"
          onSelect={() => onRun(() => show("shortcuts"))}
        />
      </ItemGroup>
    </>
  );
}

export const SessionItem = ({ session, onSelect }: { session: Session; onSelect(): void }) => (
  <Item
    id={`session ${session.id}`}
    label={session.name}
    words={[session.cwd, stateWord(session), session.model, session.worker]}
    icon={<StateDot session={session} />}
    detail={
      <>
        {session.state !== "idle" && session.state !== "stopped" && `${stateWord(session)} · `}
        <span title={session.cwd} className="font-mono text-2xs">
          {baseName(session.cwd)}
        </span>
        {session.usage.cost_usd > 0 && ` · ${formatCost(session.usage)}`}
      </>
    }
    onSelect={onSelect}
  />
);

interface OpenProps extends Pick<Props, "onRun" | "onPage"> {
  feed: SessionFeed;
  split: boolean;
}

function OpenSessionItems({ feed, split, onRun, onPage }: OpenProps) {
  const session = useStore(feed.store, (state) => state.session);
  if (session === null) return null;
  const can = (capability: string): boolean => session.capabilities.includes(capability);
  const asleep = session.state === "stopped" || session.state === "failed";
  const busy = session.state === "busy" || session.state === "waiting";
  const act = (what: () => Promise<unknown>) => () => onRun(() => attempt(what()));
  return (
    <ItemGroup title={session.name}>
      {busy && (
        <Item
          id="stop turn"
          label="Stop the agent"
          words={["abort", "cancel"]}
          icon={<CircleStop size={15} />}
          shortcut="Esc"
          onSelect={act(() => feed.ask({ type: session.job === "bash" ? "abort_bash" : "abort" }))}
        />
      )}
      <Item
        id="model"
        label="Model…"
        words={[session.model]}
        icon={<Cpu size={15} />}
        detail={session.model}
        onSelect={() => onPage("model")}
      />
      {can("thinking_levels") && (
        <Item
          id="thinking"
          label="Thinking level…"
          words={["reasoning"]}
          icon={<Brain size={15} />}
          onSelect={() => onPage("thinking")}
        />
      )}
      {can("commands") && (
        <Item
          id="slash"
          label="Run a slash command…"
          words={["command", "/"]}
          icon={<SquareSlash size={15} />}
          onSelect={() => onPage("commands")}
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
      <Item
        id="beside"
        label="Open a session beside…"
        words={["split", "two", "side"]}
        icon={<Columns2 size={15} />}
        onSelect={() => onPage("beside")}
      />
      {split && (
        <Item
          id="close pane"
          label="Close this pane"
          words={["split"]}
          icon={<X size={15} />}
          onSelect={() => onRun(() => leave(session.id))}
        />
      )}
      {can("compact") && (
        <Item
          id="compact"
          label="Compact the context"
          icon={<FoldVertical size={15} />}
          onSelect={act(() => feed.ask({ type: "compact" }))}
        />
      )}
      <Item
        id="files"
        label="Files and changes"
        words={["diff", "browse", "edited"]}
        icon={<FileDiff size={15} />}
        onSelect={() => onRun(() => go(`${sessionAddress(session.id)}/files`))}
      />
      <Item
        id="export"
        label="Export…"
        words={["download", "html", "markdown", "jsonl", "save"]}
        icon={<Download size={15} />}
        onSelect={() => onPage("export")}
      />
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

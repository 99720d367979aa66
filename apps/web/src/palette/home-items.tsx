// What the palette offers first: sessions, then what can be done with the one that is open, then the rest.
import type { Session } from "@patchbay/protocol";
import { Bot, ChartNoAxesColumn, Keyboard, Moon, Plus, Search, Settings, Wallet } from "lucide-react";
import { activeFeed } from "../connection/open-feeds.ts";
import { formatCost } from "../format/money.ts";
import { baseName } from "../format/path.ts";
import { show } from "../navigation/overlay.ts";
import { go, placeNow, sessionAddress } from "../navigation/session-address.ts";
import { useSessions } from "../session-list/session-list.ts";
import { StateDot, stateWord } from "../sessions/state-dot.tsx";
import { listedInOrder } from "../shortcuts/use-global-keys.ts";
import { Item, ItemGroup } from "./item.tsx";
import type { Page } from "./pages.tsx";
import { SessionActions } from "./session-actions.tsx";
import { SessionControls } from "./session-controls.tsx";

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
        <>
          <SessionActions feed={feed} split={beside !== null} onRun={onRun} onPage={onPage} />
          <SessionControls onRun={onRun} onPage={onPage} />
        </>
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
          id="budgets"
          label="Budgets"
          words={["limit", "money", "spending", "cap"]}
          icon={<Wallet size={15} />}
          onSelect={() => onRun(() => go("/costs/budgets"))}
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
          words={["notifications", "preferences", "devices", "log out", "logins"]}
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

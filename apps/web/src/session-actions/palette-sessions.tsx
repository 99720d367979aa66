// The sessions in the palette: the others to go to, a new one, and one to open beside the one that is shown.
import type { SessionInfo } from "@patchbay/protocol";
import { Plus } from "lucide-react";
import { formatCost } from "../format/money.ts";
import { baseName } from "../format/path.ts";
import { actionKeys } from "../navigation/action-keys.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { currentPlace, go, openBeside, sessionAddress } from "../navigation/session-address.ts";
import { type PalettePage, usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";
import { rank } from "../palette/rank.ts";
import { listedInOrder } from "../session-list/group-sessions.ts";
import { useSessions } from "../session-list/session-list.ts";
import { StateDot, stateLabel } from "./state-dot.tsx";
import { sessionActionsTexts } from "./texts.ts";

/** How many are shown while nothing is typed: as many as are read at a glance. */
const shownAtFirst = 6;
/** And when something is: the best ones, because hundreds would have to be laid out. */
const shownAtMost = 40;

export function SessionItems() {
  const { query, run } = usePalette();
  const { session: shown } = currentPlace();
  const sessions = useSessions();
  const ordered = [...listedInOrder(sessions), ...sessions.filter(({ archived }) => archived === true)];
  const others = [...new Set(ordered)].filter(({ id }) => id !== shown);
  const shownOnes = query === "" ? others.slice(0, shownAtFirst) : bestFits(query, others);
  return shownOnes.map((session) => (
    <SessionItem
      key={session.id}
      session={session}
      onSelect={() => run(() => go(sessionAddress(session.id)))}
    />
  ));
}

const bestFits = (query: string, sessions: readonly SessionInfo[]): SessionInfo[] =>
  sessions
    .map((session) => ({
      session,
      score: rank(query, { name: session.name, keywords: keywordsOf(session), kind: "session" }),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, shownAtMost)
    .map(({ session }) => session);

const keywordsOf = (session: SessionInfo): string[] => [
  session.cwd,
  stateLabel(session),
  session.model,
  session.worker,
];

export function NewSessionItem() {
  const { run } = usePalette();
  return (
    <PaletteItem
      id="new session"
      label={sessionActionsTexts.newSession}
      keywords={sessionActionsTexts.keywordsNew.split(" ")}
      icon={<Plus size={15} />}
      shortcut={actionKeys.newSession}
      onSelect={() => run(() => showOverlay("new-session"))}
    />
  );
}

function OpenBeside() {
  const { query, run } = usePalette();
  const { session: shown } = currentPlace();
  return bestFits(
    query,
    useSessions().filter(({ id }) => id !== shown),
  ).map((session) => (
    <SessionItem key={session.id} session={session} onSelect={() => run(() => openBeside(session.id))} />
  ));
}

export const besidePage: PalettePage = {
  get title() {
    return sessionActionsTexts.openBeside;
  },
  get placeholder() {
    return sessionActionsTexts.whichBeside;
  },
  Items: OpenBeside,
};

const SessionItem = ({ session, onSelect }: { session: SessionInfo; onSelect(): void }) => (
  <PaletteItem
    id={`session ${session.id}`}
    label={session.name}
    keywords={keywordsOf(session)}
    kind="session"
    icon={<StateDot session={session} />}
    detail={
      <>
        {session.state !== "idle" && session.state !== "stopped" && `${stateLabel(session)} · `}
        <span title={session.cwd} className="font-mono text-2xs">
          {baseName(session.cwd)}
        </span>
        {session.usage.cost_usd > 0 && ` · ${formatCost(session.usage)}`}
      </>
    }
    onSelect={onSelect}
  />
);

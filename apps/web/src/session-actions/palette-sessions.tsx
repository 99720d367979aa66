// The sessions in the palette: the others to go to, a new one, and one to open beside the one that is shown.
import type { SessionInfo } from "@patchbay/protocol";
import { Plus } from "lucide-react";
import { formatCost } from "../format/money.ts";
import { baseName } from "../format/path.ts";
import { showOverlay } from "../navigation/overlay.ts";
import { currentPlace, go, openBeside, sessionAddress } from "../navigation/session-address.ts";
import { type PalettePage, usePalette } from "../palette/palette-context.ts";
import { PaletteItem } from "../palette/palette-item.tsx";
import { listedInOrder } from "../session-list/group-sessions.ts";
import { useSessions } from "../session-list/session-list.ts";
import { StateDot, stateLabel } from "./state-dot.tsx";
import { sessionActionsTexts } from "./texts.ts";

/** How many are shown while nothing is typed: as many as are read at a glance. */
const shownAtFirst = 6;

export function SessionItems() {
  const { query, run } = usePalette();
  const { session: shown } = currentPlace();
  const sessions = useSessions();
  const ordered = [...listedInOrder(sessions), ...sessions.filter(({ archived }) => archived === true)];
  const others = [...new Set(ordered)].filter(({ id }) => id !== shown);
  return (query === "" ? others.slice(0, shownAtFirst) : others).map((session) => (
    <SessionItem
      key={session.id}
      session={session}
      onSelect={() => run(() => go(sessionAddress(session.id)))}
    />
  ));
}

export function NewSessionItem() {
  const { run } = usePalette();
  return (
    <PaletteItem
      id="new session"
      label={sessionActionsTexts.newSession}
      keywords={[sessionActionsTexts.keywordsNew]}
      icon={<Plus size={15} />}
      shortcut="N"
      onSelect={() => run(() => showOverlay("new-session"))}
    />
  );
}

function OpenBeside() {
  const { run } = usePalette();
  const { session: shown } = currentPlace();
  return useSessions()
    .filter(({ id }) => id !== shown)
    .map((session) => (
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
    keywords={[session.cwd, stateLabel(session), session.model, session.worker]}
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

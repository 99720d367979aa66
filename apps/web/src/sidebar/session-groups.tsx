// The groups of the list. A directory can be folded, shows its newest sessions until more are wanted, and starts a new one.
import type { SessionInfo } from "@patchbay/protocol";
import { Archive, ChevronRight, Plus } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { shortDirectory } from "../format/path.ts";
import { go, sessionAddress, usePlace } from "../navigation/session-address.ts";
import { type Group, groupSessions } from "../session-list/group-sessions.ts";
import { attempt } from "../ui/feedback/attempt.ts";
import { PathText } from "../ui/path-text.tsx";
import { useFoldedGroups } from "./folded-groups.ts";
import { SessionRow } from "./session-row.tsx";
import { sidebarTexts } from "./texts.ts";

/** Of each directory, until more are wanted: with hundreds of sessions the list is as quick as with a few. */
const shownAtFirst = 5;
const shownMore = 50;

interface Props {
  sessions: readonly SessionInfo[];
  /** Directories are folded until they are opened, and what needs a person is elsewhere on the screen. */
  onPhone?: boolean;
}

export function SessionGroups({ sessions, onPhone = false }: Props) {
  const { groups, archived } = useMemo(() => groupSessions(sessions), [sessions]);
  if (sessions.length === 0) return <p className="px-2 py-3 text-sm text-faint">{sidebarTexts.none}</p>;
  return (
    <>
      {groups
        .filter(({ kind }) => !onPhone || kind !== "needs")
        .map((group) =>
          group.kind === "directory" ? (
            <DirectoryGroup key={group.key} group={group} isOpenAtFirst={!onPhone} />
          ) : (
            <section key={group.key} aria-label={group.title} className="mt-3 first:mt-1">
              <h2
                className={`flex h-6 items-center gap-1.5 px-2 text-xs ${group.kind === "needs" ? "font-medium text-accent" : "text-faint"}`}
              >
                {group.kind === "needs" ? `${group.title} · ${group.sessions.length}` : group.title}
              </h2>
              <Rows sessions={group.sessions} />
            </section>
          ),
        )}
      {archived.length > 0 && <Archived sessions={archived} />}
    </>
  );
}

function DirectoryGroup({ group, isOpenAtFirst }: { group: Group; isOpenAtFirst: boolean }) {
  // A toggle is remembered; what it means depends on what the group is without one.
  const id = isOpenAtFirst ? group.key : `phone ${group.key}`;
  const isToggled = useFoldedGroups(({ folded }) => folded.includes(id));
  const toggle = useFoldedGroups((store) => store.toggle);
  const open = isOpenAtFirst !== isToggled;
  const directory = shortDirectory(group.title);
  return (
    <section aria-label={group.title} className="mt-3 first:mt-1">
      <h2 className="group/title relative flex h-6 items-center phone:h-12">
        <button
          type="button"
          aria-expanded={open}
          title={group.title}
          onClick={() => toggle(id)}
          className="flex h-full min-w-0 flex-1 items-center gap-1 rounded-md pr-8 pl-1 text-faint hover:text-ink phone:pr-12"
        >
          <ChevronRight
            size={12}
            aria-hidden
            className={`shrink-0 transition-transform duration-150 ${open ? "rotate-90" : ""}`}
          />
          <span className="min-w-0 font-mono text-2xs phone:text-xs">
            <PathText path={directory} />
          </span>
          {!open && <span className="ml-1 shrink-0 text-2xs tabular-nums">{group.sessions.length}</span>}
        </button>
        <button
          type="button"
          aria-label={sidebarTexts.newSessionIn(directory)}
          title={sidebarTexts.newSessionIn(directory)}
          onClick={() => attempt(startIn(group.title))}
          className="absolute right-0.5 flex size-6 items-center justify-center rounded-md text-faint hover:bg-selected hover:text-ink focus-visible:opacity-100 pointer-fine:opacity-0 pointer-fine:group-hover/title:opacity-100 phone:size-11"
        >
          <Plus size={14} aria-hidden />
        </button>
      </h2>
      {open && <SomeRows sessions={group.sessions} />}
    </section>
  );
}

async function startIn(cwd: string): Promise<void> {
  const { startSession } = await import("../new-session/use-start-session.ts"); // not part of the first load
  const { id } = await startSession({ cwd });
  go(sessionAddress(id));
}

/** The newest ones, and the open ones wherever they are. */
function SomeRows({ sessions }: { sessions: readonly SessionInfo[] }) {
  const [shown, setShown] = useState(shownAtFirst);
  const { session: current, beside } = usePlace();
  const some = sessions.filter(({ id }, index) => index < shown || id === current || id === beside);
  const hidden = sessions.length - some.length;
  return (
    <Rows sessions={some}>
      {hidden > 0 ? (
        <More onClick={() => setShown(shown + shownMore)}>
          {sidebarTexts.showMore(Math.min(hidden, shownMore))}
        </More>
      ) : (
        shown > shownAtFirst && <More onClick={() => setShown(shownAtFirst)}>{sidebarTexts.showFewer}</More>
      )}
    </Rows>
  );
}

const More = ({ onClick, children }: { onClick(): void; children: ReactNode }) => (
  <li>
    <button
      type="button"
      onClick={onClick}
      className="h-7 w-full rounded-md pl-6.5 text-left text-xs text-faint hover:bg-hover hover:text-ink phone:h-11"
    >
      {children}
    </button>
  </li>
);

const Rows = ({ sessions, children }: { sessions: readonly SessionInfo[]; children?: ReactNode }) => (
  <ul>
    {sessions.map((session) => (
      <SessionRow key={session.id} session={session} />
    ))}
    {children}
  </ul>
);

/** Closed at first. */
function Archived({ sessions }: { sessions: readonly SessionInfo[] }) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-label={sidebarTexts.archived} className="mt-4">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-7 w-full items-center gap-1.5 rounded-md px-2 text-xs text-faint hover:bg-hover hover:text-ink phone:h-11"
      >
        <Archive size={12} aria-hidden /> {sidebarTexts.archived} · {sessions.length}
        <ChevronRight
          size={12}
          aria-hidden
          className={`ml-auto transition-transform duration-150 ${open ? "rotate-90" : ""}`}
        />
      </button>
      {open && <SomeRows sessions={sessions} />}
    </section>
  );
}

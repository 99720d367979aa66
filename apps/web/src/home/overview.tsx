// The sessions on the home page, in three lists: those that need a person, those at work, and the recent ones.
import type { SessionInfo } from "@patchbay/protocol";
import { memo, useMemo, useState } from "react";
import { Link } from "wouter";
import { formatCost } from "../format/money.ts";
import { shortDirectory } from "../format/path.ts";
import { PathText } from "../format/path-text.tsx";
import { formatAgo, formatExact } from "../format/time.ts";
import { sessionAddress } from "../navigation/session-address.ts";
import { StateDot, stateLabel } from "../session-actions/state-dot.tsx";
import { overviewOf, projectDirectory } from "../session-list/group-sessions.ts";
import { isUnread, useSeen } from "../session-list/seen.ts";
import { useSessions } from "../session-list/session-list.ts";
import { homeTexts } from "./texts.ts";

/** As many as fit beside the composer on a laptop. */
const recentAtFirst = 5;
const recentMore = 20;

export function HomeOverview() {
  const sessions = useSessions();
  const { needs, running, recent } = useMemo(() => overviewOf(sessions), [sessions]);
  const [shown, setShown] = useState(recentAtFirst);
  const more = Math.min(recentMore, recent.length - shown);
  return (
    <div className="mt-8 flex flex-col gap-6 phone:mt-5 phone:gap-5">
      <Section title={homeTexts.needsYou} sessions={needs} needs />
      <Section title={homeTexts.running} sessions={running} />
      <Section title={homeTexts.recent} sessions={recent.slice(0, shown)}>
        {more > 0 && (
          <button
            type="button"
            onClick={() => setShown(shown + recentMore)}
            className="h-8 w-full rounded-md px-3 text-left text-sm text-faint hover:bg-hover hover:text-ink phone:h-11"
          >
            {homeTexts.showMore(more)}
          </button>
        )}
      </Section>
    </div>
  );
}

interface SectionProps {
  title: string;
  sessions: readonly SessionInfo[];
  needs?: boolean;
  children?: React.ReactNode;
}

function Section({ title, sessions, needs = false, children }: SectionProps) {
  if (sessions.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2
        className={`mb-1 flex items-center gap-2 px-3 text-xs font-medium ${needs ? "text-accent" : "text-faint"}`}
      >
        {title} <span className="font-mono font-normal tabular-nums">{sessions.length}</span>
      </h2>
      <ul
        className={`divide-y divide-line overflow-hidden rounded-md border ${needs ? "border-accent/40 bg-needs-soft" : "border-line"}`}
      >
        {sessions.map((session) => (
          <OverviewRow key={session.id} session={session} />
        ))}
      </ul>
      {children}
    </section>
  );
}

const OverviewRow = memo(function OverviewRow({ session }: { session: SessionInfo }) {
  const unread = useSeen(({ seen }) => isUnread(session, seen));
  const label = stateLabel(session, unread);
  const line = lineOf(session);
  return (
    <li>
      <Link
        href={sessionAddress(session.id)}
        title={`${session.name} · ${label} · ${formatExact(session.updated_at)}`}
        className="grid min-h-14 grid-cols-[0.5rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 px-3 py-2 hover:bg-hover"
      >
        <StateDot session={session} unread={unread} />
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="truncate font-medium">{session.name}</span>
          <span className="shrink-0 text-xs text-faint phone:hidden">{label}</span>
        </span>
        <span className="text-right text-xs text-muted tabular-nums">{costOf(session)}</span>
        <span className="col-start-2 truncate text-sm text-muted phone:col-end-4">{line}</span>
        <span className="flex max-w-64 min-w-0 items-center justify-end gap-1.5 text-xs text-faint phone:col-span-2 phone:col-start-2 phone:max-w-none phone:justify-start">
          <span className="hidden shrink-0 phone:inline">{label} ·</span>
          <span className="min-w-0 font-mono text-2xs">
            <PathText path={shortDirectory(projectDirectory(session))} />
          </span>
          <span aria-hidden>·</span>
          <span className="shrink-0 tabular-nums">{formatAgo(session.updated_at)}</span>
        </span>
      </Link>
    </li>
  );
});

/** What it asks, why it failed, or what was said last. */
function lineOf({ pending, state, reason, last_line }: SessionInfo): string {
  const question = pending[0];
  if (question !== undefined)
    return [question.title, question.message?.split("\n")[0]].filter(Boolean).join(" · ");
  if (state === "failed" && reason !== undefined) return reason;
  return last_line ?? homeTexts.nothingYet;
}

const costOf = ({ usage }: SessionInfo): string =>
  usage.cost_usd > 0 || (usage.unpriced ?? 0) > 0 || (usage.estimated ?? 0) > 0 ? formatCost(usage) : "";

// The sessions whose agents run at this moment or wait for a person, and how fast they spend. Below them, apart, the
// sessions that have spent something in the last minutes and do not run any more: they are part of the burn rate.
import { Link } from "wouter";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { formatCost, formatDollars } from "../../format/money.ts";
import { type Now, sortRunning } from "../data/api.ts";
import { agentLabel, unpricedLabel } from "../data/labels.ts";
import { Card, Filled } from "./card.tsx";
import { costCardTexts } from "./texts.ts";

export function RunningCard({ now }: { now: Fetched<Now> }) {
  return (
    <Card
      title={costCardTexts.runningNow}
      beside={<span className="text-xs text-faint">{costCardTexts.rateWindow}</span>}
    >
      <div id="running" className="scroll-mt-14">
        <Filled asked={now} rows={6}>
          {(data) => <Sessions sessions={data.sessions} />}
        </Filled>
      </div>
    </Card>
  );
}

type Session = Now["sessions"][number];

const dots: Readonly<Record<string, string>> = {
  busy: "bg-working animate-pulse-dot",
  starting: "bg-working animate-pulse-dot",
  waiting: "bg-fill",
  failed: "bg-failed",
};

const stateTexts = {
  busy: "working",
  starting: "starting",
  waiting: "waiting",
  failed: "failed",
  idle: "idle",
} as const;

const isStateText = (state: string): state is keyof typeof stateTexts => state in stateTexts;

const stateLabel = (state: string): string =>
  costCardTexts[isStateText(state) ? stateTexts[state] : "stopped"];

function Sessions({ sessions }: { sessions: Session[] }) {
  const { open, recent } = sortRunning(sessions);
  return (
    <div className="max-h-[260px] min-h-[204px] overflow-y-auto px-2 pb-2">
      {open.length === 0 ? (
        <p className="px-2 py-3 text-sm text-muted">{costCardTexts.nothingRuns}</p>
      ) : (
        <Rows sessions={open} />
      )}
      {recent.length > 0 && (
        <>
          <h3 className="px-2 pt-2 pb-0.5 text-xs text-faint">{costCardTexts.recentlyActive}</h3>
          <Rows sessions={recent} />
        </>
      )}
    </div>
  );
}

const Rows = ({ sessions }: { sessions: readonly Session[] }) => (
  <ul>
    {sessions.map((session) => (
      <li key={session.id}>
        <Row session={session} />
      </li>
    ))}
  </ul>
);

function Row({ session }: { session: Session }) {
  const state = stateLabel(session.state);
  return (
    <Link
      href={`/sessions/${session.id}`}
      title={`${session.name} · ${state} · ${session.model}`}
      className="flex h-11 items-center gap-2.5 rounded-sm px-2 text-sm hover:bg-hover"
    >
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${dots[session.state] ?? "bg-faint/75"}`} />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{session.name}</span>
        <span className="block truncate text-xs text-faint">
          {state} · {session.model || agentLabel(session.worker)}
        </span>
      </span>
      <span className="shrink-0 text-right font-mono text-xs tabular-nums">
        {session.cost_usd_per_hour === 0 && session.unpriced > 0 ? (
          unpricedLabel(session.unpriced)
        ) : (
          <>
            {formatDollars(session.cost_usd_per_hour)}
            <span className="text-faint">{costCardTexts.perHourShort}</span>
          </>
        )}
        <span className="block text-faint">
          {costCardTexts.soFar(formatCost({ cost_usd: session.cost_usd, unpriced: session.unpriced_so_far }))}
        </span>
      </span>
    </Link>
  );
}

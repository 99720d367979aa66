// What runs at this moment, and how fast it spends.
import { Link } from "wouter";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { formatCost, formatDollars } from "../../format/money.ts";
import type { Now } from "../data/api.ts";
import { unpricedLabel } from "../data/labels.ts";
import { Card, Filled, Nothing } from "./card.tsx";

export function RunningCard({ now }: { now: Fetched<Now> }) {
  return (
    <Card title="Running now" beside={<span className="text-xs text-faint">last 10 minutes</span>}>
      <div id="running" className="scroll-mt-4">
        <Filled asked={now} rows={6}>
          {(data) => (data.sessions.length === 0 ? <Quiet /> : <Running sessions={data.sessions} />)}
        </Filled>
      </div>
    </Card>
  );
}

const Quiet = () => (
  <div className="flex min-h-[204px]">
    <Nothing>No agent is at work, and none was in the last 10 minutes.</Nothing>
  </div>
);

const dots: Readonly<Record<string, string>> = {
  busy: "bg-working animate-pulse-dot",
  starting: "bg-working animate-pulse-dot",
  waiting: "bg-fill",
  failed: "bg-failed",
};

const stateLabels: Readonly<Record<string, string>> = { busy: "working", waiting: "needs you" };

function Running({ sessions }: { sessions: Now["sessions"] }) {
  return (
    <ul className="max-h-[260px] min-h-[204px] overflow-y-auto px-2 pb-2">
      {sessions.map((session) => (
        <li key={session.id}>
          <Link
            href={`/sessions/${session.id}`}
            title={`${session.name} · ${stateLabels[session.state] ?? session.state} · ${session.model}`}
            className="flex h-11 items-center gap-2.5 rounded-sm px-2 text-sm hover:bg-hover"
          >
            <span
              aria-hidden
              className={`size-2 shrink-0 rounded-full ${dots[session.state] ?? "bg-faint/75"}`}
            />
            <span className="min-w-0 flex-1">
              <span className="block truncate">{session.name}</span>
              <span className="block truncate text-xs text-faint">
                {stateLabels[session.state] ?? session.state} · {session.model || session.worker}
              </span>
            </span>
            <span className="shrink-0 text-right font-mono text-xs tabular-nums">
              {session.cost_usd_per_hour === 0 && session.unpriced > 0 ? (
                unpricedLabel(session.unpriced)
              ) : (
                <>
                  {formatDollars(session.cost_usd_per_hour)}
                  <span className="text-faint"> / h</span>
                </>
              )}
              <span className="block text-faint">
                {formatCost({ cost_usd: session.cost_usd, unpriced: session.unpriced_so_far })} so far
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

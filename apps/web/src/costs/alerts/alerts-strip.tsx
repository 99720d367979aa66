// The alerts about spending that nobody has dismissed, above the numbers that they are about. Nothing is shown while there are none.
import { CostAlert } from "@patchbay/protocol";
import { CircleHelp, Gauge, TrendingUp, X } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import * as z from "zod/mini";
import { perform } from "../../api/http/call.ts";
import { formatDollars } from "../../format/money.ts";
import { formatAgo, formatExact } from "../../format/time.ts";
import { attempt } from "../../ui/feedback/attempt.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { rowLink } from "../cards/row-link.ts";
import { nameLabel, nameTitle } from "../data/labels.ts";
import { dateOf } from "../data/span.ts";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { type Where, writeView } from "../data/view.ts";
import { alertTexts } from "./texts.ts";

const AlertsBody = z.object({ alerts: z.array(CostAlert) });

const everyMs = 30_000;
/** More would push the numbers off the screen. */
const shown = 3;

export function AlertsStrip() {
  const { data, refetch } = useFetchedPath("/api/costs/alerts", AlertsBody, everyMs);
  const [all, setAll] = useState(false);
  // Dismissed here, and not yet fetched again.
  const [gone, setGone] = useState<readonly string[]>([]);
  const open = data?.alerts.filter(({ id, dismissed }) => !dismissed && !gone.includes(id)) ?? [];
  if (open.length === 0) return null;
  const dismiss = async (id: string): Promise<void> => {
    setGone((before) => [...before, id]);
    try {
      await perform(`/api/costs/alerts/${encodeURIComponent(id)}/dismiss`, { method: "POST" });
    } catch (error) {
      setGone((before) => before.filter((each) => each !== id));
      throw error;
    }
    refetch();
  };
  return (
    <section
      aria-label={alertTexts.alerts}
      className="mb-4 animate-appear rounded-md border border-accent/40 bg-needs-soft"
    >
      <ul className="divide-y divide-accent/20">
        {open.slice(0, all ? undefined : shown).map((alert) => (
          <Row key={alert.id} alert={alert} onDismiss={() => attempt(dismiss(alert.id))} />
        ))}
      </ul>
      {!all && open.length > shown && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="w-full rounded-b-md border-t border-accent/20 px-4 py-1.5 text-left text-xs text-muted hover:text-ink hover:underline phone:min-h-11 phone:px-3"
        >
          {alertTexts.more(open.length - shown)}
        </button>
      )}
    </section>
  );
}

const icons = { spike: TrendingUp, unpriced: CircleHelp, forecast: Gauge };

function Row({ alert, onDismiss }: { alert: CostAlert; onDismiss(): void }) {
  const { title, text, href, hint } = describe(alert);
  const Icon = icons[alert.kind];
  return (
    <li
      data-alert={alert.kind}
      className="relative flex items-center gap-2.5 py-1 pr-1.5 pl-4 text-sm phone:pl-3"
    >
      <Icon size={15} aria-hidden className="shrink-0 text-accent phone:mt-2.5 phone:self-start" />
      <p className="flex min-w-0 flex-1 items-baseline gap-x-2 phone:flex-col phone:py-1.5">
        <Link href={href} title={hint} className={`max-w-full shrink-0 truncate font-medium ${rowLink}`}>
          {title}
        </Link>
        <span className="min-w-0 text-muted tabular-nums sm:truncate" title={text}>
          {text}
        </span>
      </p>
      <time
        dateTime={alert.time}
        title={formatExact(alert.time)}
        className="shrink-0 text-xs text-muted tabular-nums phone:mt-2.5 phone:self-start"
      >
        {formatAgo(alert.time)}
      </time>
      <span className="relative phone:self-start">
        <IconButton label={alertTexts.dismiss(title)} onClick={onDismiss}>
          <X size={15} aria-hidden />
        </IconButton>
      </span>
    </li>
  );
}

/** In the reader's language; the server's message is for webhooks. `href` shows what the alert is about. */
function describe(alert: CostAlert): { title: string; text: string; href: string; hint: string } {
  const { kind, subject, target, spent_usd = 0, usual_usd = 0, calls = 0 } = alert;
  if (kind === "forecast") {
    const { budget_name = "", forecast_usd = 0, limit_usd = 0 } = alert;
    const text = alertTexts.forecast(formatDollars(forecast_usd), formatDollars(limit_usd));
    return { title: alertTexts.forecastOf(budget_name), text, href: "/costs/budgets", hint: target };
  }
  const dimension = subject === "project" ? "cwd" : subject === "person" ? "person" : "model";
  const where: Where = { [dimension]: target };
  const name = nameLabel(dimension, target);
  const hint = nameTitle(dimension, target);
  if (kind === "unpriced") {
    const href = `/costs${writeView({ range: { kind: "30d" }, stack: "model", where })}`;
    return { title: alertTexts.unpricedOf(name), text: alertTexts.unpriced(calls), href, hint };
  }
  const day = dateOf(new Date(alert.time));
  const range = { kind: "custom", from: day, to: day } as const;
  const href = `/costs${writeView({ range, stack: subject === "model" ? "cwd" : "model", where })}`;
  const text = alertTexts.spike(formatDollars(spent_usd), formatDollars(usual_usd));
  return { title: alertTexts.spikeOf(name), text, href, hint };
}

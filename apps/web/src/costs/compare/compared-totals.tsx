// What the provider says, what the ledger says, and the difference, of all days; beside it what one must know to read it.
import type { Reconciliation } from "@patchbay/protocol";
import type { ReactNode } from "react";
import { providerName } from "../../format/agent-name.ts";
import { formatDollars } from "../../format/money.ts";
import { grouped } from "../../format/number.ts";
import { dollars } from "../data/labels.ts";
import { bucketLabel } from "../data/span.ts";
import { signedDollars, signedTokens } from "./figures.ts";
import { tokensOf } from "./merge.ts";
import { compareTexts } from "./texts.ts";

export function ComparedTotals({ found }: { found: Reconciliation }) {
  const { provider, ledger, difference } = found.total;
  const range = [...new Set([bucketLabel(found.from), bucketLabel(found.to)])].join(" – ");
  return (
    <>
      <p className="mb-3 text-sm text-muted">
        {found.format} · <span className="tabular-nums">{range}</span> · {compareTexts.utcDays}
      </p>
      <div className="mb-4 grid grid-cols-3 divide-x divide-line rounded-md border border-line bg-panel phone:grid-cols-1 phone:divide-x-0 phone:divide-y">
        <Total
          title={compareTexts.providerSays(providerName(found.provider))}
          money={provider.cost_usd === null ? null : formatDollars(provider.cost_usd)}
          tokens={provider.tokens === null ? null : grouped(tokensOf(provider.tokens))}
        />
        <Total
          title={compareTexts.ledgerSays}
          money={dollars(ledger)}
          tokens={grouped(tokensOf(ledger.tokens))}
          more={compareTexts.calls(ledger.calls)}
        />
        <Total
          title={compareTexts.difference}
          money={difference.cost_usd === null ? null : signedDollars(difference.cost_usd)}
          tokens={difference.tokens === null ? null : signedTokens(difference.tokens)}
        />
      </div>
      <Notes found={found} />
    </>
  );
}

interface TotalProps {
  title: string;
  money: string | null;
  tokens: string | null;
  more?: ReactNode;
}

const Total = ({ title, money, tokens, more }: TotalProps) => (
  <section aria-label={title} className="px-4 py-3 phone:px-3">
    <h2 className="text-xs text-muted">{title}</h2>
    <p
      className={`mt-1 font-mono tabular-nums ${money === null ? "text-sm leading-7 text-faint" : "text-xl"}`}
    >
      {money ?? compareTexts.notTold}
    </p>
    <p className="mt-0.5 text-xs text-muted tabular-nums">
      {tokens === null ? "–" : compareTexts.tokens(tokens)}
      {more !== undefined && <> · {more}</>}
    </p>
  </section>
);

function Notes({ found }: { found: Reconciliation }) {
  const { unpriced, estimated, low_usd, high_usd } = found.total.ledger;
  const notes = [
    ...(found.is_partial ? [compareTexts.partial] : []),
    ...(found.by_model ? [] : [compareTexts.daysOnly]),
    ...(unpriced > 0 ? [compareTexts.unpriced(unpriced)] : []),
    ...(estimated > 0
      ? [compareTexts.estimated(estimated, formatDollars(low_usd), formatDollars(high_usd))]
      : []),
  ];
  if (notes.length === 0) return null;
  return (
    <ul className="mb-4 list-disc space-y-0.5 pl-5 text-sm text-muted">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

// The rows of a comparison, the newest day first: a table, and on a phone two lines per row. What differs is shown first.
import type { ReconciledRow, ReconciledState, Reconciliation } from "@patchbay/protocol";
import { Check } from "lucide-react";
import { useState } from "react";
import { providerName } from "../../format/agent-name.ts";
import { formatDollars } from "../../format/money.ts";
import { grouped } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { dollars } from "../data/labels.ts";
import { bucketTitle } from "../data/span.ts";
import { signedDollars, signedTokens } from "./figures.ts";
import { tokensOf } from "./merge.ts";
import { compareTexts } from "./texts.ts";

/** More are shown on request: a year of ten models has thousands. */
const shownRows = 200;

type Filter = "all" | Exclude<ReconciledState, "equal">;

export function ComparedRows({ found }: { found: Reconciliation }) {
  const differing = found.rows.some(({ state }) => state !== "equal");
  const [filter, setFilter] = useState<Filter>("all");
  const [shown, setShown] = useState(shownRows);
  const rows = found.rows.filter(({ state }) => filter === "all" || state === filter);
  const provider = providerName(found.provider);
  return (
    <section aria-label={compareTexts.daysAndModels} className="rounded-md border border-line bg-panel">
      <Filters found={found} filter={filter} onFilter={setFilter} />
      {!differing && (
        <p className="border-t border-line px-4 py-2.5 text-sm text-muted phone:px-3">
          {compareTexts.allEqual}
        </p>
      )}
      {rows.length === 0 ? (
        <p className="border-t border-line px-4 py-8 text-center text-sm text-faint">
          {compareTexts.nothingToShow}
        </p>
      ) : (
        <table className="w-full table-fixed text-sm phone:block">
          <Head provider={provider} />
          <tbody className="phone:block">
            {rows.slice(0, shown).map((row) => (
              <Row key={`${row.day} ${row.model_key}`} row={row} provider={provider} />
            ))}
          </tbody>
        </table>
      )}
      {rows.length > shown && (
        <div className="border-t border-line p-2 text-center">
          <Button look="quiet" onClick={() => setShown(shown + shownRows)}>
            {compareTexts.more(Math.min(shownRows, rows.length - shown))}
          </Button>
        </div>
      )}
    </section>
  );
}

interface FiltersProps {
  found: Reconciliation;
  filter: Filter;
  onFilter(filter: Filter): void;
}

function Filters({ found, filter, onFilter }: FiltersProps) {
  const count = (state: ReconciledState): string =>
    grouped(found.rows.filter((row) => row.state === state).length);
  const choices: readonly (readonly [Filter, string])[] = [
    ["all", compareTexts.all(grouped(found.rows.length))],
    ["differs", compareTexts.differing(count("differs"))],
    ["only_provider", compareTexts.onlyProvider(providerName(found.provider), count("only_provider"))],
    ["only_ledger", compareTexts.onlyLedger(count("only_ledger"))],
  ];
  return (
    <div role="group" aria-label={compareTexts.show} className="flex flex-wrap gap-1 px-3 py-2 phone:px-2">
      {choices.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={filter === value}
          onClick={() => onFilter(value)}
          className={`h-7 rounded-md px-2.5 text-xs whitespace-nowrap tabular-nums phone:h-11 phone:px-3 phone:text-sm ${filter === value ? "bg-selected font-medium text-ink" : "text-muted hover:bg-hover hover:text-ink"}`}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

const number = "px-3 text-right font-mono text-xs whitespace-nowrap tabular-nums";
const wide = `${number} max-lg:hidden`;

const Head = ({ provider }: { provider: string }) => (
  <thead className="text-xs text-faint phone:sr-only [&_th]:h-8 [&_th]:border-t [&_th]:border-line [&_th]:px-3 [&_th]:text-right [&_th]:font-normal">
    <tr>
      <th scope="col" className="w-[132px] pl-4! text-left!">
        {compareTexts.day}
      </th>
      <th scope="col" className="text-left!">
        {compareTexts.model}
      </th>
      <th scope="col" className="w-[136px] max-lg:hidden">
        {compareTexts.tokensHead}, {provider}
      </th>
      <th scope="col" className="w-[112px] max-lg:hidden">
        Patchbay
      </th>
      <th scope="col" className="w-[116px]">
        {compareTexts.difference}
      </th>
      <th scope="col" className="w-[128px] max-lg:hidden">
        {compareTexts.costHead}, {provider}
      </th>
      <th scope="col" className="w-[108px] max-lg:hidden">
        Patchbay
      </th>
      <th scope="col" className="w-[112px] pr-4!">
        {compareTexts.difference}
      </th>
    </tr>
  </thead>
);

function Row({ row, provider }: { row: ReconciledRow; provider: string }) {
  const { day, model, state, provider: exported, ledger, difference } = row;
  const changed = (value: number | null): string =>
    value === null || value === 0 ? "text-faint" : "text-ink";
  return (
    <tr
      data-state={state}
      className="h-8 border-t border-line hover:bg-hover phone:grid phone:h-auto phone:grid-cols-[1fr_auto] phone:gap-x-3 phone:px-3 phone:py-2"
    >
      <td className="truncate pl-4 text-xs text-muted tabular-nums phone:order-2 phone:pl-0">
        {bucketTitle(day)}
      </td>
      <td className="px-3 phone:order-1 phone:col-span-2 phone:px-0 phone:pb-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate" title={model || compareTexts.allModels}>
            {model || compareTexts.allModels}
          </span>
          <State state={state} provider={provider} />
        </span>
      </td>
      <td className={wide}>{exported?.tokens ? grouped(tokensOf(exported.tokens)) : "–"}</td>
      <td className={wide}>{ledger === null ? "–" : grouped(tokensOf(ledger.tokens))}</td>
      <td
        className={`${number} phone:order-4 phone:col-start-2 phone:px-0 phone:text-muted ${changed(difference.tokens)}`}
      >
        {difference.tokens === null ? "–" : signedTokens(difference.tokens)}
      </td>
      <td className={wide}>
        {exported === null || exported.cost_usd === null ? "–" : formatDollars(exported.cost_usd)}
      </td>
      <td className={wide}>{ledger === null ? "–" : dollars(ledger)}</td>
      <td className={`${number} pr-4 phone:order-3 phone:px-0 ${changed(difference.cost_usd)}`}>
        {difference.cost_usd === null ? "–" : signedDollars(difference.cost_usd)}
      </td>
    </tr>
  );
}

function State({ state, provider }: { state: ReconciledState; provider: string }) {
  if (state === "equal")
    return (
      <span title={compareTexts.equal} className="shrink-0 text-faint">
        <Check size={13} aria-label={compareTexts.equal} />
      </span>
    );
  const text = {
    differs: compareTexts.differs,
    only_provider: compareTexts.isOnlyProvider(provider),
    only_ledger: compareTexts.isOnlyLedger,
  }[state];
  return (
    <span className="shrink-0 rounded-sm bg-needs-soft px-1.5 text-2xs leading-4.5 whitespace-nowrap text-muted">
      {text}
    </span>
  );
}

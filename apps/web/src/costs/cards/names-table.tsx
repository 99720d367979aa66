// The numbers behind the chart: every name of what it is stacked by, with tokens, calls, cost and share.
import { Link } from "wouter";
import type { Fetched } from "../../api/http/use-fetched.ts";
import { grouped } from "../../format/number.ts";
import { formatTokens } from "../../format/tokens.ts";
import type { UsageTable } from "../data/api.ts";
import {
  dimensionLabel,
  dollars,
  estimatedLabel,
  nameLabel,
  nameTitle,
  unpricedLabel,
} from "../data/labels.ts";
import { byName, type NameSums } from "../data/series.ts";
import { toggled, type View, writeView } from "../data/view.ts";
import { Card, Filled, Nothing } from "./card.tsx";
import { Delta } from "./headline.tsx";
import { rowLink } from "./row-link.ts";
import { costCardTexts } from "./texts.ts";

interface Props {
  view: View;
  usage: Fetched<UsageTable>;
  previous: Fetched<UsageTable>;
}

export function NamesTable({ view, usage, previous }: Props) {
  return (
    <Card title={costCardTexts.byDimension(dimensionLabel(view.stack))}>
      <Filled asked={usage} rows={6}>
        {(data) => {
          const names = byName(data.rows, view.stack);
          if (names.length === 0) return <Nothing>{costCardTexts.noCalls}</Nothing>;
          const before = new Map(byName(previous.data?.rows ?? [], view.stack).map((row) => [row.name, row]));
          return <Table {...{ view, names, before, total: data.total }} />;
        }}
      </Filled>
    </Card>
  );
}

interface TableProps {
  view: View;
  names: readonly NameSums[];
  before: ReadonlyMap<string, NameSums>;
  total: UsageTable["total"];
}

const number = "px-3 text-right whitespace-nowrap font-mono text-xs tabular-nums";
const wide = `${number} max-lg:hidden`;

function Table({ view, names, before, total }: TableProps) {
  return (
    <table className="w-full table-fixed text-sm">
      <thead className="text-xs text-faint [&_th]:h-8 [&_th]:px-3 [&_th]:text-right [&_th]:font-normal">
        <tr>
          <th scope="col" className="text-left! pl-4!">
            {dimensionLabel(view.stack)}
          </th>
          <th scope="col" className="w-[76px] phone:hidden">
            {costCardTexts.calls}
          </th>
          <th scope="col" className="w-[84px] max-lg:hidden">
            {costCardTexts.input}
          </th>
          <th scope="col" className="w-[84px] max-lg:hidden">
            {costCardTexts.cached}
          </th>
          <th scope="col" className="w-[84px] max-lg:hidden">
            {costCardTexts.output}
          </th>
          <th scope="col" className="w-[76px] phone:hidden">
            {costCardTexts.share}
          </th>
          <th scope="col" className="w-[120px] pr-4! phone:w-[104px]">
            {costCardTexts.cost}
          </th>
          <th scope="col" className="w-[210px] text-left! max-lg:hidden">
            {costCardTexts.previousPeriod}
          </th>
        </tr>
      </thead>
      <tbody>
        {names.map((row) => (
          <tr key={row.name} className="relative h-8 border-t border-line hover:bg-hover phone:h-11">
            <td className="truncate pl-4">
              <Link
                href={`/costs${writeView({ ...view, where: toggled(view.where, view.stack, row.name) })}`}
                title={nameTitle(view.stack, row.name)}
                className={rowLink}
              >
                {nameLabel(view.stack, row.name)}
              </Link>
            </td>
            <Numbers row={row} total={total} />
            <td className="truncate px-3 text-xs text-muted max-lg:hidden">
              <Delta
                now={row}
                before={before.get(row.name) ?? { cost_usd: 0, unpriced: 0 }}
                than={null}
                none={(what) => what}
              />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="h-8 border-t border-edge font-medium phone:h-11">
          <td className="pl-4">{costCardTexts.all}</td>
          <Numbers row={total} total={total} />
          <td aria-hidden className="max-lg:hidden">
            {" "}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function Numbers({ row, total }: { row: UsageTable["total"]; total: UsageTable["total"] }) {
  const input = row.input + row.cache_read + row.cache_write;
  const unpriced = unpricedLabel(row.unpriced);
  return (
    <>
      <td className={`${number} phone:hidden`}>{grouped(row.calls)}</td>
      <td className={wide}>{formatTokens(input)}</td>
      <td className={wide}>{input === 0 ? "–" : `${Math.round((row.cache_read / input) * 100)} %`}</td>
      <td className={wide}>{formatTokens(row.output)}</td>
      <td className={`${number} phone:hidden`}>
        {total.cost_usd === 0 || row.cost_usd === 0
          ? "–"
          : `${((row.cost_usd / total.cost_usd) * 100).toFixed(1)} %`}
      </td>
      <td className={`${number} pr-4`}>
        <span className="block" title={estimatedLabel(row.estimated) ?? undefined}>
          {dollars(row)}
        </span>
        {unpriced !== null && <span className="block font-sans text-2xs text-faint">+ {unpriced}</span>}
      </td>
    </>
  );
}

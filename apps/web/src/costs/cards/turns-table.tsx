// The turns that cost most, each one click from where it was spent.
import { Link } from "wouter";
import { formatAgo, formatExact } from "../../format/time.ts";
import { formatTokens } from "../../format/tokens.ts";
import { messageAddress } from "../../navigation/message-address.ts";
import { type RankedTurn, RankedTurns } from "../data/api.ts";
import {
  dimensionLabel,
  dollars,
  estimatedLabel,
  nameLabel,
  nameTitle,
  unnamedSession,
  unpricedLabel,
} from "../data/labels.ts";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { Card, Filled, Nothing } from "./card.tsx";
import { rowLink } from "./row-link.ts";
import { costCardTexts } from "./texts.ts";

export function TurnsTable({ path, everyMs }: { path: string; everyMs: number | null }) {
  const asked = useFetchedPath(path, RankedTurns, everyMs);
  return (
    <Card title={costCardTexts.mostExpensiveTurns} className="mb-4">
      <Filled asked={asked} rows={10}>
        {({ turns }) =>
          turns.length === 0 ? <Nothing>{costCardTexts.noTurns}</Nothing> : <Table turns={turns} />
        }
      </Filled>
    </Card>
  );
}

const Table = ({ turns }: { turns: readonly RankedTurn[] }) => (
  <table className="w-full table-fixed text-sm">
    <thead className="text-left text-xs text-faint [&_th]:h-8 [&_th]:px-4 [&_th]:font-normal">
      <tr>
        <th scope="col">{dimensionLabel("session")}</th>
        <th scope="col" className="w-[110px] phone:hidden">
          {dimensionLabel("cwd")}
        </th>
        <th scope="col" className="w-[150px] phone:hidden">
          {dimensionLabel("model")}
        </th>
        <th scope="col" className="w-[240px] max-lg:hidden">
          {costCardTexts.calls}
        </th>
        <th scope="col" className="w-[90px] phone:w-[72px]">
          {costCardTexts.when}
        </th>
        <th scope="col" className="w-[110px] text-right phone:w-[96px]">
          {costCardTexts.cost}
        </th>
      </tr>
    </thead>
    <tbody>
      {turns.map((turn) => (
        <Row key={`${turn.session} ${turn.turn}`} turn={turn} />
      ))}
    </tbody>
  </table>
);

const cell = "truncate px-4";

function Row({ turn }: { turn: RankedTurn }) {
  const unpriced = unpricedLabel(turn.unpriced);
  return (
    <tr
      className={`relative h-8 border-t border-line phone:h-11 ${turn.name === null ? "" : "hover:bg-hover"}`}
    >
      <td className={cell}>
        {turn.name === null ? (
          <span className="text-faint" title={unnamedSession(turn.session).title}>
            {unnamedSession(turn.session).name}
          </span>
        ) : (
          <Link
            href={messageAddress(turn.session, turn.started)}
            title={costCardTexts.goToTurn}
            className={`text-ink ${rowLink}`}
          >
            {turn.name}
          </Link>
        )}
      </td>
      <td title={nameTitle("cwd", turn.cwd)} className={`${cell} text-muted phone:hidden`}>
        {nameLabel("cwd", turn.cwd)}
      </td>
      <td className={`${cell} text-muted phone:hidden`}>{turn.model}</td>
      <td className={`${cell} text-muted max-lg:hidden`}>
        {costCardTexts.callFacts(
          turn.calls,
          formatTokens(turn.input + turn.cache_read + turn.cache_write),
          formatTokens(turn.output),
        )}
      </td>
      <td title={formatExact(turn.started)} className={`${cell} text-muted tabular-nums`}>
        {formatAgo(turn.started)}
      </td>
      <td
        title={unpriced ?? estimatedLabel(turn.estimated) ?? undefined}
        className={`${cell} text-right font-mono text-xs tabular-nums`}
      >
        {dollars(turn)}
        {unpriced !== null && (
          <span className="text-faint"> {costCardTexts.plusUnpriced(turn.unpriced)}</span>
        )}
      </td>
    </tr>
  );
}

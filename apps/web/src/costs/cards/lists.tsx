// Three ranked lists side by side: models, projects (or people, branches, agents), and sessions.
import { useState } from "react";
import { Picker } from "../../ui/menu/picker.tsx";
import { ask, askUsage, RankedSessions, UsageTable } from "../data/api.ts";
import { coloursOf } from "../data/colours.ts";
import { dimensionPlural, nameLabel, nameTitle, unnamedSession } from "../data/labels.ts";
import { byName } from "../data/series.ts";
import type { TimeSpan } from "../data/span.ts";
import { useFetchedPath } from "../data/use-fetched-path.ts";
import { type Dimension, toggled, type View, without, writeView } from "../data/view.ts";
import { RankedList, type RankedName } from "./ranked-list.tsx";
import { costCardTexts } from "./texts.ts";

interface Props {
  view: View;
  span: TimeSpan;
  everyMs: number | null;
}

const places = ["cwd", "person", "branch", "worker"] as const;
type Place = (typeof places)[number];

export function Lists({ view, span, everyMs }: Props) {
  const [place, setPlace] = useState<Place>(
    () => places.find((name) => view.where[name] !== undefined) ?? "cwd",
  );
  // A list is not narrowed by its own filter: one can go from name to name.
  const models = useFetchedPath(askUsage(span, without(view.where, "model"), "model"), UsageTable, everyMs);
  const others = useFetchedPath(askUsage(span, without(view.where, place), place), UsageTable, everyMs);
  const sessions = useFetchedPath(
    ask("/api/usage/sessions", span, without(view.where, "session"), { limit: "7" }),
    RankedSessions,
    everyMs,
  );
  return (
    <div className="mb-4 grid grid-cols-3 gap-4 max-lg:grid-cols-1">
      <RankedList
        title={dimensionPlural("model")}
        asked={models}
        namesOf={({ rows }) => namesOf(view, "model", rows)}
      />
      <RankedList
        title={dimensionPlural(place)}
        heading={
          <span className="-ml-1.5 flex">
            <Picker
              label={costCardTexts.rankedBy}
              value={place}
              choices={places.map((value) => ({ value, label: dimensionPlural(value) }))}
              onChoose={(value) => setPlace(places.find((name) => name === value) ?? "cwd")}
            />
          </span>
        }
        asked={others}
        namesOf={({ rows }) => namesOf(view, place, rows)}
      />
      <RankedList
        title={dimensionPlural("session")}
        asked={sessions}
        namesOf={(data) =>
          data.sessions.map((each) => ({
            key: each.session,
            name: each.name ?? unnamedSession(each.session).name,
            title: `${each.name ?? unnamedSession(each.session).title} · ${each.model}`,
            cost_usd: each.cost_usd,
            unpriced: each.unpriced,
            estimated: each.estimated,
            calls: each.calls,
            ...filter(view, "session", each.session),
            open: each.name === null ? undefined : `/sessions/${each.session}`,
          }))
        }
      />
    </div>
  );
}

const filter = (view: View, dimension: Dimension, name: string) => ({
  href: `/costs${writeView({ ...view, where: toggled(view.where, dimension, name) })}`,
  chosen: view.where[dimension] === name,
});

function namesOf(view: View, dimension: Place | "model", rows: UsageTable["rows"]): RankedName[] {
  const ranked = byName(rows, dimension);
  const colours = coloursOf(ranked.slice(0, 7).map(({ name }) => name));
  return ranked.map(({ name, cost_usd, unpriced, estimated, calls }) => ({
    key: name,
    name: nameLabel(dimension, name),
    title: nameTitle(dimension, name),
    cost_usd,
    unpriced,
    estimated,
    calls,
    colour: dimension === view.stack ? colours.get(name) : undefined,
    ...filter(view, dimension, name),
  }));
}

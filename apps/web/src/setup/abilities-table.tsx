// A table of what each agent can do here: agents as rows, abilities as columns. A row opens to its versions, how it is
// installed, and the same in words. On a phone there are only the rows that open.
import { AgentFacts, type WorkerInfo } from "@patchbay/protocol";
import { ChevronRight } from "lucide-react";
import { Fragment, useId, useState } from "react";
import { agentName } from "../format/agent-name.ts";
import { formatAgo, formatExact } from "../format/time.ts";
import { Button } from "../ui/button.tsx";
import { abilityName, abilityWhat, agentAbilities, type Extent } from "./ability-list.ts";
import { Command } from "./setup-row.tsx";
import { setupTexts } from "./texts.ts";

export function AbilitiesTable({ workers }: { workers: readonly WorkerInfo[] }) {
  const [all, setAll] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const available = workers.filter((worker) => worker.available);
  const others = workers.filter((worker) => !worker.available);
  const title = useId();
  return (
    <section aria-labelledby={title} className="@container mb-10">
      <h2 id={title} className="text-lg font-semibold tracking-[-0.01em]">
        {setupTexts.abilities}
      </h2>
      <p className="mt-1 max-w-[68ch] text-sm text-muted">{setupTexts.abilitiesNote}</p>
      <table className="mt-4 w-full table-fixed border-collapse text-sm @max-[44rem]:block @max-[44rem]:border-t @max-[44rem]:border-line">
        <colgroup>
          <col />
          {agentAbilities.map(({ id }) => (
            <col key={id} className="w-8 @max-[44rem]:hidden" />
          ))}
        </colgroup>
        <thead className="@max-[44rem]:hidden">
          <tr className="border-b border-line">
            <th scope="col" className="pb-2 text-left align-bottom font-normal">
              <Legend />
            </th>
            {agentAbilities.map(({ id }) => (
              <th
                key={id}
                scope="col"
                aria-label={abilityName(id)}
                title={abilityWhat(id)}
                className="px-0 pb-2 align-bottom text-xs font-normal text-muted"
              >
                <span className="flex justify-center">
                  <span className="rotate-180 leading-4 whitespace-nowrap [writing-mode:vertical-rl]">
                    {abilityName(id)}
                  </span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="@max-[44rem]:block">
          {[...available, ...(all ? others : [])].map((worker) => (
            <AgentRow
              key={worker.name}
              worker={worker}
              isOpen={opened === worker.name}
              onToggle={() => setOpened(opened === worker.name ? null : worker.name)}
            />
          ))}
        </tbody>
      </table>
      {others.length > 0 && (
        <div className="mt-2">
          <Button look="quiet" onClick={() => setAll(!all)}>
            {all ? setupTexts.abilitiesFewer : setupTexts.abilitiesMore(others.length)}
          </Button>
        </div>
      )}
    </section>
  );
}

interface RowProps {
  worker: WorkerInfo;
  isOpen: boolean;
  onToggle(): void;
}

function AgentRow({ worker, isOpen, onToggle }: RowProps) {
  const details = useId();
  const { version } = factsOf(worker);
  const extents = agentAbilities.map(({ extent }) => extent(worker));
  const count = extents.filter((extent) => extent === "yes" || extent === "partly").length;
  const isUnknown = extents.includes("unknown");
  return (
    <Fragment>
      <tr
        className={`border-b border-line @max-[44rem]:block ${isOpen ? "border-transparent bg-raised" : "hover:bg-hover"}`}
      >
        <th scope="row" className="p-0 text-left font-normal @max-[44rem]:block">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={details}
            onClick={onToggle}
            className="flex h-9 w-full min-w-0 items-center gap-2 pr-2 text-left @max-[44rem]:h-12"
          >
            <ChevronRight
              size={14}
              aria-hidden
              className={`shrink-0 text-faint transition-transform duration-150 motion-reduce:transition-none ${isOpen ? "rotate-90" : ""}`}
            />
            <span className={`truncate ${worker.available ? "font-medium text-ink" : "text-muted"}`}>
              {agentName(worker.name)}
            </span>
            {version !== undefined && (
              <span className="shrink-0 truncate font-mono text-2xs text-faint @max-[44rem]:text-xs">
                {version}
              </span>
            )}
            <span className="ml-auto hidden shrink-0 text-xs text-muted tabular-nums @max-[44rem]:inline">
              {isUnknown
                ? setupTexts.abilitiesAtLeast(count, agentAbilities.length)
                : setupTexts.abilitiesOf(count, agentAbilities.length)}
            </span>
          </button>
        </th>
        {agentAbilities.map(({ id }, index) => {
          const extent = extents[index] ?? "unknown";
          return (
            <td
              key={id}
              title={`${abilityName(id)}: ${setupTexts[extent]}`}
              className="p-0 text-center @max-[44rem]:hidden"
            >
              <Sign extent={extent} />
            </td>
          );
        })}
      </tr>
      {isOpen && (
        <tr id={details} className="border-b border-line bg-raised @max-[44rem]:block">
          <td
            colSpan={agentAbilities.length + 1}
            className="px-6 pt-1 pb-4 @max-[44rem]:block @max-[44rem]:px-3"
          >
            <Details worker={worker} extents={extents} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function Details({ worker, extents }: { worker: WorkerInfo; extents: readonly Extent[] }) {
  const { version, node, tested } = factsOf(worker);
  const facts: [string, string][] = [
    [setupTexts.factState, worker.available ? setupTexts.ready : (worker.reason ?? setupTexts.notInstalled)],
    [setupTexts.factVersion, version ?? (worker.available ? setupTexts.versionUnknown : "")],
    [setupTexts.factTested, tested ?? ""],
    [setupTexts.factNode, node === undefined ? "" : setupTexts.orNewer(node)],
    [setupTexts.factProtocol, protocolOf(worker)],
  ];
  return (
    <>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-0.5 text-sm">
        {facts
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <Fragment key={name}>
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 text-ink [overflow-wrap:anywhere]">{value}</dd>
            </Fragment>
          ))}
        {worker.install !== undefined && (
          <>
            <dt className="self-center text-muted">{setupTexts.factInstall}</dt>
            <dd className="flex min-w-0 items-center gap-1">
              <Command text={worker.install} />
            </dd>
          </>
        )}
      </dl>
      <ul className="mt-3 grid grid-cols-2 gap-x-6 gap-y-1.5 border-t border-line pt-3 @max-[44rem]:grid-cols-1 @max-[44rem]:gap-y-2">
        {agentAbilities.map(({ id }, index) => {
          const extent = extents[index] ?? "unknown";
          return (
            <li key={id} className="flex items-baseline gap-2.5">
              <span className="flex w-3 shrink-0 justify-center self-start pt-1.5">
                <Sign extent={extent} />
              </span>
              <span className="min-w-0">
                <span className={extent === "no" ? "text-muted" : "font-medium text-ink"}>
                  {abilityName(id)}
                </span>
                <span className="block text-xs text-muted">{abilityWhat(id)}</span>
              </span>
            </li>
          );
        })}
      </ul>
      <p className="mt-3 text-xs text-muted">
        <Source worker={worker} />
      </p>
    </>
  );
}

/** How it is known. */
function Source({ worker }: { worker: WorkerInfo }) {
  const { capabilities_from: from } = factsOf(worker);
  if (from === undefined) return setupTexts.fromNothing;
  const { source, at, version = "" } = from;
  if (source === "suite") return setupTexts.fromSuite(version);
  if (source === "known")
    return worker.name === "builtin" ? setupTexts.fromPatchbay : setupTexts.fromProtocol(protocolOf(worker));
  if (at === undefined) return setupTexts.fromSession("");
  return <span title={formatExact(at)}>{setupTexts.fromSession(formatAgo(at))}</span>;
}

function protocolOf({ name, dialect }: WorkerInfo): string {
  if (name === "builtin") return setupTexts.ownProtocol;
  return dialect === "acp" ? "ACP" : dialect === "zot" ? "zot rpc" : dialect;
}

const factsOf = (worker: WorkerInfo): AgentFacts => AgentFacts.safeParse(worker).data ?? {};

const signs: Readonly<Record<Extent, string>> = {
  yes: "size-2 rounded-full bg-ink",
  partly:
    "size-2 rounded-full border border-ink bg-[linear-gradient(90deg,var(--ink)_50%,var(--color-transparent)_50%)]",
  no: "h-px w-2 bg-edge",
  unknown: "text-xs leading-none text-faint before:content-['?']",
};

/** Its shape says it, and a word for those who do not see it. */
const Sign = ({ extent }: { extent: Extent }) => (
  <span className="inline-flex size-3 items-center justify-center align-middle">
    <span aria-hidden className={signs[extent]} />
    <span className="sr-only">{setupTexts[extent]}</span>
  </span>
);

const Legend = () => (
  <ul className="flex flex-col gap-1 text-xs text-muted">
    {(["yes", "partly", "no", "unknown"] as const).map((extent) => (
      <li key={extent} className="flex items-center gap-2">
        <span aria-hidden className="inline-flex size-3 items-center justify-center">
          <span className={signs[extent]} />
        </span>
        {setupTexts[extent]}
      </li>
    ))}
  </ul>
);

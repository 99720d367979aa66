// Which agents and models were found on the server's machine, and how to add the missing ones.
import type { ProviderInfo, WorkerInfo } from "@patchbay/protocol";
import { RefreshCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Workers } from "../api/sessions.ts";
import { plural } from "../format/plural.ts";
import { BackToList } from "../navigation/back-to-list.tsx";
import { useStartSession } from "../new-session/use-start-session.ts";
import { useWorkers } from "../new-session/use-workers.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/feedback/copy-button.tsx";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { agentDescription, agentName, exampleOf, providerName } from "./agent-names.ts";
import { SetupSafety } from "./setup-safety.tsx";

export default function SetupPage() {
  const [asked, setAsked] = useState(0);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-6 phone:h-14 phone:px-2">
        <BackToList />
        <h1 className="flex-1 font-semibold tracking-[-0.01em]">Agents and models</h1>
        <Button look="quiet" onClick={() => setAsked(asked + 1)}>
          <RefreshCw size={14} aria-hidden /> Look again
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-[820px] px-8 py-8 phone:px-4 phone:py-5">
          <SetupSafety key={`safety ${asked}`} />
          <Found key={asked} />
        </div>
      </div>
    </div>
  );
}

function Found() {
  const known = useWorkers();
  if (known.state === "failed")
    return (
      <p role="alert" className="text-failed">
        {known.message}
      </p>
    );
  if (known.state === "loading")
    return (
      <div role="status" aria-label="Looking for agents">
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} className="mb-3 h-14 w-full" />
        ))}
      </div>
    );
  return <Everything found={known.workers} />;
}

function Everything({ found }: { found: Workers }) {
  const here = found.workers.filter(({ available }) => available);
  const missing = found.workers.filter(({ available }) => !available);
  const builtin = found.workers.find(({ name }) => name === "builtin");
  const providers = builtin?.providers ?? [];
  return (
    <>
      <Part title="Agents found here" count={here.length}>
        {here.map((worker) => (
          <Agent key={worker.name} worker={worker} isDefault={worker.name === found.default_worker} />
        ))}
      </Part>
      <Part
        title="Models of the built-in agent"
        note="Set a variable in the environment of the server, then start Patchbay again. Keys stay there: no page and no log ever has them."
      >
        {[...providers]
          .sort((a, b) => Number(b.available) - Number(a.available))
          .map((provider) => (
            <Provider key={provider.name} provider={provider} models={modelsOf(builtin, provider.name)} />
          ))}
      </Part>
      {missing.length > 0 && (
        <Part
          title="Agents you can add"
          note="Install one on the server's machine; the next look finds it, without a restart."
        >
          {missing.map((worker) => (
            <Missing key={worker.name} worker={worker} />
          ))}
        </Part>
      )}
      {found.config_path !== undefined && (
        <p className="mt-8 text-sm text-muted">
          Any other agent that speaks one of these protocols can be named in{" "}
          <code className="font-mono text-xs break-all text-ink">{found.config_path}</code>;
          docs/operations.md has the keys.
        </p>
      )}
    </>
  );
}

const modelsOf = (builtin: WorkerInfo | undefined, provider: string): number =>
  builtin?.models?.filter((model) => model.provider === provider).length ?? 0;

interface PartProps {
  title: string;
  count?: number;
  note?: string;
  children: ReactNode;
}

const Part = ({ title, count, note, children }: PartProps) => (
  <section aria-label={title} className="mb-10">
    <h2 className="text-lg font-semibold tracking-[-0.01em]">
      {title} {count !== undefined && <span className="font-normal text-faint tabular-nums">{count}</span>}
    </h2>
    {note !== undefined && <p className="mt-1 max-w-[68ch] text-sm text-muted">{note}</p>}
    <ul className="mt-3 divide-y divide-line border-y border-line">{children}</ul>
  </section>
);

interface RowProps {
  name: ReactNode;
  description: ReactNode;
  found: boolean;
  children?: ReactNode;
}

const Row = ({ name, description, found, children }: RowProps) => (
  <li className="flex min-h-14 items-center gap-x-4 gap-y-2 py-2.5 phone:flex-wrap phone:items-start phone:py-3">
    <span
      aria-hidden
      className={`size-2 shrink-0 rounded-full phone:mt-1.5 ${found ? "bg-done" : "border border-edge"}`}
    />
    <div className="min-w-0 flex-1 phone:basis-[calc(100%-1.5rem)]">
      <p className="font-medium">{name}</p>
      <p className="text-sm text-muted">{description}</p>
    </div>
    {children !== undefined && (
      <div className="flex min-w-0 shrink-0 items-center gap-1 phone:shrink phone:pl-6">{children}</div>
    )}
  </li>
);

function Agent({ worker, isDefault }: { worker: WorkerInfo; isDefault: boolean }) {
  const { start, starting, problem } = useStartSession();
  const name = (
    <>
      {agentName(worker.name)}
      {isDefault && <span className="ml-2 text-xs font-normal text-faint">default</span>}
    </>
  );
  const description =
    problem === null ? (
      agentDescription(worker.name, worker.dialect)
    ) : (
      <span role="alert" className="text-failed">
        {problem}
      </span>
    );
  return (
    <Row name={name} description={description} found>
      <Button
        look={isDefault ? "primary" : "plain"}
        disabled={starting}
        onClick={() => start({ worker: worker.name })}
      >
        {starting ? "Starting…" : "Start a session"}
      </Button>
    </Row>
  );
}

function Provider({ provider, models }: { provider: ProviderInfo; models: number }) {
  const [variable = ""] = provider.variables;
  return (
    <Row
      name={providerName(provider.name)}
      description={
        provider.available
          ? models === 0
            ? "Reachable, but it lists no models."
            : plural(models, "model")
          : variable.endsWith("_KEY")
            ? "No key found."
            : "No address found."
      }
      found={provider.available}
    >
      {provider.available ? undefined : <Command text={`export ${variable}=${exampleOf(variable)}`} />}
    </Row>
  );
}

const Missing = ({ worker }: { worker: WorkerInfo }) => (
  <Row
    name={agentName(worker.name)}
    description={worker.install === undefined ? worker.reason : agentDescription(worker.name, worker.dialect)}
    found={false}
  >
    {worker.install === undefined ? undefined : <Command text={worker.install} />}
  </Row>
);

const Command = ({ text }: { text: string }) => (
  <>
    <code
      className="max-w-[380px] truncate rounded-sm bg-sunken px-2 py-1 font-mono text-xs text-ink"
      title={text}
    >
      {text}
    </code>
    <CopyButton text={text} label={`Copy ${text}`} />
  </>
);

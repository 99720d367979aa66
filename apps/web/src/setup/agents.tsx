// The agents of the server's machine: those that can be started, how to sign in to those that have a login of their own, and
// how to install the others.
import type { WorkerInfo } from "@patchbay/protocol";
import type { Workers } from "../api/sessions.ts";
import { agentName } from "../format/agent-name.ts";
import { useStartSession } from "../new-session/use-start-session.ts";
import { usePreferences } from "../preferences/preferences.ts";
import { useSessions } from "../session-list/session-list.ts";
import { Button } from "../ui/button.tsx";
import { AbilitiesTable } from "./abilities-table.tsx";
import { Command, SetupPart, SetupRow } from "./setup-row.tsx";
import { setupTexts } from "./texts.ts";

export function Agents({ found }: { found: Workers }) {
  const here = found.workers.filter(({ available }) => available);
  const missing = found.workers.filter(({ available }) => !available);
  return (
    <>
      <SetupPart title={setupTexts.agents} count={here.length}>
        {here.map((worker) => (
          <Agent key={worker.name} worker={worker} isDefault={worker.name === found.default_worker} />
        ))}
      </SetupPart>
      <AbilitiesTable workers={found.workers} />
      {missing.length > 0 && (
        <SetupPart title={setupTexts.agentsMissing} note={setupTexts.agentsMissingNote}>
          {missing.map((worker) => (
            <MissingAgent key={worker.name} worker={worker} />
          ))}
        </SetupPart>
      )}
      {found.config_path !== undefined && (
        <p className="mb-10 text-sm text-muted">
          {setupTexts.otherAgents}{" "}
          <code className="font-mono text-xs break-all text-ink">{found.config_path}</code>.{" "}
          {setupTexts.otherAgentsDocs}
        </p>
      )}
    </>
  );
}

function Agent({ worker, isDefault }: { worker: WorkerInfo; isDefault: boolean }) {
  const { start, starting, problem } = useStartSession();
  const cwd = useUsualDirectory();
  const name = (
    <>
      {agentName(worker.name)}
      {isDefault && <span className="ml-2 text-xs font-normal text-faint">{setupTexts.isDefault}</span>}
    </>
  );
  const description =
    problem === null ? (
      <>
        {describeAgent(worker)} <SignIn name={worker.name} />
      </>
    ) : (
      <span role="alert" className="text-failed">
        {problem}
      </span>
    );
  return (
    <SetupRow name={name} description={description} found>
      <Button
        look={isDefault ? "primary" : "plain"}
        disabled={starting}
        onClick={() => start({ worker: worker.name, ...(cwd === undefined ? {} : { cwd }) })}
      >
        {starting ? setupTexts.starting : setupTexts.start}
      </Button>
    </SetupRow>
  );
}

/** The preferred directory, otherwise that of the newest session; undefined: the server's. */
function useUsualDirectory(): string | undefined {
  const preferred = usePreferences(({ defaultDirectory }) => defaultDirectory);
  const [newest] = useSessions();
  return preferred === "" ? (newest?.project ?? newest?.cwd) : preferred;
}

const MissingAgent = ({ worker }: { worker: WorkerInfo }) => (
  <SetupRow
    name={agentName(worker.name)}
    description={worker.install === undefined ? worker.reason : describeAgent(worker)}
    found={false}
  >
    {worker.install === undefined ? undefined : <Command text={worker.install} />}
  </SetupRow>
);

/** Agents that the server knows without a profile, and that need no sentence of their own. */
const overAcp: ReadonlySet<string> = new Set(
  "cursor copilot qwen kimi amp auggie hermes qoder droid cline kilo junie vibe".split(" "),
);

function describeAgent({ name, dialect }: WorkerInfo): string {
  const described: Readonly<Record<string, string>> = {
    builtin: setupTexts.builtinWhat,
    zot: setupTexts.zotWhat,
    pi: setupTexts.piWhat,
    omp: setupTexts.ompWhat,
    zeroclaw: setupTexts.zeroclawWhat,
    gemini: setupTexts.geminiWhat,
    opencode: setupTexts.opencodeWhat,
    claude: setupTexts.claudeWhat,
    codex: setupTexts.codexWhat,
    goose: setupTexts.gooseWhat,
  };
  if (overAcp.has(name)) return setupTexts.acpWhat;
  return Object.hasOwn(described, name) ? (described[name] ?? "") : setupTexts.configuredWhat(dialect);
}

/** Agents with a login of their own: what a person enters in a terminal of the server's machine. */
const signIns: Readonly<Record<string, { run: string; enter?: string }>> = {
  claude: { run: "claude", enter: "/login" },
  codex: { run: "codex login" },
  gemini: { run: "gemini" },
  opencode: { run: "opencode auth login" },
  goose: { run: "goose configure" },
  pi: { run: "pi", enter: "/login" },
  omp: { run: "omp", enter: "/login" },
  cursor: { run: "cursor-agent login" },
  copilot: { run: "copilot login" },
  kimi: { run: "kimi login" },
  auggie: { run: "auggie login" },
  kilo: { run: "kilo auth login" },
  qoder: { run: "qodercli", enter: "/login" },
};

function SignIn({ name }: { name: string }) {
  const way = Object.hasOwn(signIns, name) ? signIns[name] : undefined;
  if (way === undefined) return null;
  return (
    <span className="block">
      {setupTexts.signIn} <code className="font-mono text-xs text-ink">{way.run}</code>
      {way.enter === undefined
        ? name === "gemini" && setupTexts.signInChoose
        : setupTexts.signInThen(way.enter)}
      .
    </span>
  );
}

// The screen beside the list when no session is open. To a newcomer it explains itself and starts a
// first session with one click; to everyone else it offers the next one.
import { Link } from "wouter";
import { shortDirectory } from "../format/path.ts";
import { plural } from "../format/plural.ts";
import { useNewcomer } from "../session-list/use-newcomer.ts";
import { Button } from "../ui/button.tsx";
import { useStartSession } from "./use-start-session.ts";
import { useWorkers } from "./use-workers.ts";

const facts = [
  [
    "Sessions live on the server",
    "Close the tab, reload, open a second device: the agent goes on and nothing is lost.",
  ],
  ["Everything it does is shown", "Each command, edit and file it reads is one line that opens in place."],
  ["So is what it costs", "Tokens and dollars per turn and per session, while they are spent."],
] as const;

export function Welcome({ onNew }: { onNew(): void }) {
  const newcomer = useNewcomer();
  const known = useWorkers();
  const { start, starting, problem } = useStartSession();
  const workers = known.state === "ready" ? known.workers : null;
  const worker = workers?.workers.find(({ name }) => name === workers.default_worker) ?? workers?.workers[0];
  const demo = worker?.models !== undefined && worker.models.every(({ provider }) => provider === "demo");
  const found = workers?.workers.filter(({ available }) => available).length ?? 0;
  const missing = (workers?.workers.length ?? 0) - found;
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex min-h-full w-full max-w-[640px] flex-col justify-center px-8 py-12 phone:px-4 phone:py-6">
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">
          {newcomer ? "Coding agents, in your browser" : "Start something, or pick up where you were"}
        </h1>
        <p className="mt-2 max-w-[60ch] text-prose text-muted">
          A session is one agent at work in one directory of this machine. You say what you want; it reads,
          edits and runs until it is done.
        </p>
        <div className="mt-6 flex flex-wrap items-center gap-2">
          <Button look="primary" disabled={starting || workers === null} onClick={() => start({})}>
            {starting ? "Starting…" : "Start a session"}
            {workers?.default_cwd !== undefined && !starting && (
              <span className="font-mono text-xs font-normal">in {shortDirectory(workers.default_cwd)}</span>
            )}
          </Button>
          <Button look="plain" onClick={onNew}>
            Choose worker, directory, model
          </Button>
        </div>
        {demo && (
          <p className="mt-4 max-w-[60ch] border-l-2 border-fill pl-3 text-sm text-muted">
            No model key is set on the server, so the <span className="text-ink">offline demo model</span>{" "}
            will answer. It streams, thinks and really uses the tools, and what it seems to cost is simulated.
            Set <code className="font-mono text-xs text-ink">ANTHROPIC_API_KEY</code> (or another provider's)
            and start Patchbay again for a real one.
          </p>
        )}
        {workers !== null && (
          <p className="mt-4 text-sm text-muted">
            {plural(found, "agent")} found on this machine
            {missing > 0 && `, ${missing} more can be added`}.{" "}
            <Link
              href="/setup"
              className="text-ink underline decoration-edge underline-offset-3 hover:decoration-accent"
            >
              See agents and models
            </Link>
          </p>
        )}
        {(problem !== null || known.state === "failed") && (
          <p role="alert" className="mt-4 text-sm text-failed">
            {problem ?? (known.state === "failed" ? known.message : "")}
          </p>
        )}
        {newcomer && (
          <dl className="mt-10 grid gap-5 border-t border-line pt-6">
            {facts.map(([title, text]) => (
              <div key={title} className="grid grid-cols-[200px_1fr] gap-x-6 phone:grid-cols-1 phone:gap-y-1">
                <dt className="font-medium">{title}</dt>
                <dd className="text-muted">{text}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}

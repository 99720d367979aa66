// Asks a person before a foreign agent is started in a directory that brings code for it: the agent would run that
// code at once, with its keys and its rpc token. "Trust" holds for the directory and every agent (the built-in agent's
// trusted.json); "without" for the session; "do not start" for this start only.
import type { MachineWorkers } from "../../machine/machine.ts";
import type { SettingsStore } from "../../store/settings-store.ts";

const answers = {
  trust: "Trust this directory",
  without: "Start without them",
  stop: "Do not start",
} as const;

/** Asks the viewers of the session a question of the server's own; null: closed without an answer, or withdrawn. */
export type AskPeople = (
  question: { title: string; message: string; options: string[] } & Record<string, unknown>,
  signal: AbortSignal,
) => Promise<string | null>;

interface TrustOptions {
  readonly session: string;
  readonly cwd: string;
  /** The name of the worker. */
  readonly worker: string;
  readonly workers: Pick<MachineWorkers, "check" | "trust">;
  readonly settings: SettingsStore;
  readonly ask: AskPeople;
}

/** Resolves with the arguments to add to the agent's command; rejects with a sentence for a person when it must not be started. */
export async function authorizeStart(
  { session, cwd, worker, workers, settings, ask }: TrustOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await workers.check(worker, cwd);
  if (found.is === "impossible") throw new Error(found.problem);
  if (found.is === "clear") return [];
  const { directory } = found;
  const key = `session ${session} project code`;
  if (found.without !== undefined && (await settings.read(key)) === "without") return found.without;
  const answer = await ask(
    {
      title: "Trust this directory?",
      message: `${directory} contains code that ${worker} would run when it starts:\n${found.paths.map((path) => `- ${path}`).join("\n")}\nIt would run with your permissions and could read the agent's keys. If you trust the directory, it can also run other code later.`,
      options: [answers.trust, ...(found.without === undefined ? [] : [answers.without]), answers.stop],
      directory,
      wants: found.paths,
    },
    signal,
  );
  if (answer === answers.trust) {
    await workers.trust(directory);
    return [];
  }
  if (answer === answers.without && found.without !== undefined) {
    await settings.write(key, "without");
    return found.without;
  }
  throw new Error(
    `The agent was not started: it would run ${found.paths[0]} of its directory, and the directory is not trusted. Send a prompt to be asked again.`,
  );
}

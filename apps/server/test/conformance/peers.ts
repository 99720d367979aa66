// The peers that need no download, and what each of them cannot do.
import { everyWorker, startEveryWorker } from "@patchbay/testing/every-worker";
import type { RunningServer } from "@patchbay/testing/server-process";
import { openSession } from "../actor.ts";
import { type Recorded, recordedWorkers } from "../recorded.ts";
import { noQuestions, noThinking, notStaged, silentRetries } from "./lacks.ts";
import { type Peer, peer } from "./peer.ts";
import type { ScenarioName } from "./scenarios.ts";

export interface Stage extends AsyncDisposable {
  server: RunningServer;
  peers: readonly Peer[];
}

export const peerNames = [
  ...everyWorker,
  "recorded pi 0.74.2",
  "recorded pi 1.5.0",
  "recorded omp 18.3.4",
] as const;

export async function openStage(): Promise<Stage> {
  const every = await startEveryWorker({ workers: recordedWorkers() });
  const { server, daemon } = every;
  const there = () => server;
  const peers: Peer[] = [
    peer(there, "builtin", {
      name: "builtin",
      // zot's grammar ends an answer with the whole message, and no line of a worker is rewritten.
      bytesPerByte: 2.3,
      turnsToCompact: 4,
      lacks: {
        "question timed out": { because: "its approvals have no time limit" },
        "unknown frames": notStaged,
      },
      async open(_scenario, steps) {
        const viewer = await openSession(server, { worker: "builtin" });
        if (steps.some(({ ask }) => ask)) await viewer.ask({ type: "set_approval_mode", mode: "ask" });
        return viewer;
      },
    }),
    peer(there, "zot", {
      name: "zot",
      bytesPerByte: 2.3,
      tellsRetries: false,
      remembers: false,
      turnsToCompact: 3,
      lacks: {
        ...noThinking,
        ...noQuestions,
      },
    }),
    peer(there, "pi", { name: "pi" }),
    peer(there, "omp", { name: "omp" }),
    peer(there, "acp", { name: "acp", lacks: silentRetries }),
    peer(there, "zeroclaw", {
      name: "zeroclaw",
      lacks: {
        ...silentRetries,
        compact: { because: "the daemon has no call for it", capability: "compact" },
      },
      // Nothing of ours to kill: its connection breaks.
      kill: async () => daemon.cut(),
    }),
    recorded(there, "recorded pi 0.74.2", "pi-0.74.2"),
    recorded(there, "recorded pi 1.5.0", "pi-1.5.0"),
    recorded(there, "recorded omp 18.3.4", "omp-18.3.4"),
  ];
  return {
    server,
    peers,
    [Symbol.asyncDispose]: () => every[Symbol.asyncDispose](),
  };
}

/** What there are recordings of. The words of the prompts are ours, those of the answers theirs. */
const recordings: Partial<Record<ScenarioName, string>> = {
  text: "prompt_text",
  thinking: "prompt_thinking",
  "parallel tools": "prompt_tool_parallel",
  "abort text": "abort_mid_stream",
  "error 401": "error_401",
  retry: "retry_429_then_ok",
  "U+2028": "u2028_emoji",
};

function recorded(server: () => RunningServer, name: string, program: Recorded): Peer {
  const entries = scenarioLacks();
  if (program === "omp-18.3.4")
    entries.retry = { because: "it waits for half a minute first, and says nothing" };
  return peer(server, program, {
    name,
    lacks: entries,
    open: (scenario) => openSession(server(), { worker: `${program}/${recordings[scenario] ?? ""}` }),
    line: (scenario) => ({ prompt: scenario, says: /\w/ }),
  });
}

function scenarioLacks(): Peer["lacks"] {
  const because = "it was not recorded; a program that plays it is in the table too";
  const names = [
    "tool",
    "abort before",
    "abort thinking",
    "abort tool",
    "abort question",
    "queue",
    "compact",
    "large deltas",
    "small deltas",
    "question answered",
    "question timed out",
    "killed",
    "restarted",
    "unknown frames",
  ] as const;
  return Object.fromEntries(names.map((name) => [name, { because }]));
}

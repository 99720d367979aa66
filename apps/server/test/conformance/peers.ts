// The peers that need no download, and what each of them cannot do.
import { everyWorker, startEveryWorker } from "@patchbay/testing/every-worker";
import { startReceiver } from "@patchbay/testing/receiver";
import type { RunningServer } from "@patchbay/testing/server-process";
import { recordedWorkers } from "../machine/dialects/recorded.ts";
import { openSession } from "../support/actor.ts";
import {
  noBranches,
  noCompaction,
  noQuestions,
  noRetryOf429,
  noThinking,
  notStaged,
  silentRetries,
  wholeCalls,
} from "./lacks.ts";
import { type Peer, peer, receivedBy, turnEvents } from "./peer.ts";
import { recordedPeer } from "./recorded-peers.ts";

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
  const receiver = await startReceiver();
  const every = await startEveryWorker({
    workers: recordedWorkers(),
    limits: { worker_abort_ms: 5_000 },
    webhooks: [{ url: receiver.url, secret_env: "HOOK_SECRET", events: turnEvents }],
  });
  const { server, daemon } = every;
  const webhookEvents = receivedBy(() => receiver);
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
      reportsRetries: false,
      remembers: false,
      turnsToCompact: 3,
      lacks: {
        ...noThinking,
        ...noQuestions,
        ...noRetryOf429,
        ...noBranches,
      },
    }),
    peer(there, "pi", { name: "pi" }),
    peer(there, "omp", { name: "omp", ignoresAbortCompacting: true }),
    peer(there, "acp", {
      name: "acp",
      lacks: { ...silentRetries, ...wholeCalls, ...noBranches },
    }),
    peer(there, "zeroclaw", {
      name: "zeroclaw",
      lacks: {
        ...silentRetries,
        ...noCompaction("the daemon has no call for it"),
        ...wholeCalls,
        ...noBranches,
      },
      // There is no process to kill: the connection is broken instead.
      kill: async () => daemon.cut(),
    }),
    recordedPeer(there, "recorded pi 0.74.2", "pi-0.74.2"),
    recordedPeer(there, "recorded pi 1.5.0", "pi-1.5.0"),
    recordedPeer(there, "recorded omp 18.3.4", "omp-18.3.4"),
  ];
  return {
    server,
    peers: peers.map((each) => ({ ...each, webhookEvents })),
    async [Symbol.asyncDispose]() {
      await every[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

// What the conformance suite needs of a peer, whatever its protocol.
import { promptFor, type Step } from "@patchbay/testing/scene";
import type { RunningServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { openSession } from "../support/actor.ts";
import type { ScenarioName } from "./scenarios.ts";
import type { Play } from "./watching.ts";

/** Why a scenario is not played; with a capability, the peer's sessions must not claim that one. */
interface Lack {
  because: string;
  capability?: string;
}

export interface Peer {
  readonly name: string;
  readonly lacks: Partial<Record<ScenarioName, Lack>>;
  /** Reports its retries; others only take longer. */
  readonly reportsRetries: boolean;
  /** Bytes that may be emitted for each new byte of a long answer. */
  readonly bytesPerByte: number;
  /** Has its memory after a restart. */
  readonly remembers: boolean;
  /** Prompts that are needed before it can compact. */
  readonly turnsToCompact: number;
  /** It ignores an abort while it compacts, so that a stop ends its worker. */
  readonly ignoresAbortCompacting: boolean;
  open(scenario: ScenarioName, steps: readonly Step[]): Promise<TestViewer>;
  /** The prompt that makes it act, and its answer; by default as in the steps. */
  line(scenario: ScenarioName, steps: readonly Step[]): Pick<Play, "prompt" | "says" | "ran">;
  kill(viewer: TestViewer): Promise<void>;
  /** Ends its worker properly. */
  stop(viewer: TestViewer): Promise<void>;
  /** The webhook events of this session's turns, once there are so many. */
  webhookEvents?(session: string, count: number): Promise<string[]>;
}

/** What most peers have in common: a worker's name, and steps that are played as they are written. */
export function peer(
  server: () => RunningServer,
  worker: string,
  given: Partial<Peer> & { name: string },
): Peer {
  return {
    lacks: {},
    reportsRetries: true,
    bytesPerByte: 1.3,
    remembers: true,
    turnsToCompact: 1,
    ignoresAbortCompacting: false,
    open: () => openSession(server(), { worker }),
    line: (_scenario, steps) => ({
      prompt: promptFor(steps),
      says: steps.flatMap(({ say }) => say ?? []).join(""),
    }),
    async kill(viewer) {
      process.kill(Number(viewer.session?.pid), "SIGKILL");
      await viewer.state("failed");
    },
    async stop(viewer) {
      await server().call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
      await viewer.state("stopped");
    },
    ...given,
  };
}

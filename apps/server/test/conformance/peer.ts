// What the conformance suite needs of a peer, and nothing of what it speaks.
import { promptFor, type Step } from "@patchbay/testing/scene";
import type { RunningServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { openSession } from "../actor.ts";
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
  /** Tells its retries; others only take longer. */
  readonly tellsRetries: boolean;
  /** Bytes that may leave for each new one of a long answer. */
  readonly bytesPerByte: number;
  /** Knows after a restart what was said before it. */
  readonly remembers: boolean;
  /** Before it can compact something. */
  readonly turnsToCompact: number;
  /** It compacts on whatever it is told, so stopping that ends its worker. */
  readonly deafCompacting: boolean;
  open(scenario: ScenarioName, steps: readonly Step[]): Promise<TestViewer>;
  /** The words that make it act, and what it will say; by default what the steps say. */
  line(scenario: ScenarioName, steps: readonly Step[]): Pick<Play, "prompt" | "says" | "ran">;
  kill(viewer: TestViewer): Promise<void>;
  /** Its worker is ended in good order. */
  stop(viewer: TestViewer): Promise<void>;
  /** What a webhook was told of turns of this session, once it knows of so many that are done. */
  webhookEvents?(session: string, done: number): Promise<string[]>;
}

/** What most peers have in common: a worker's name, and steps that are played as they are written. */
export function peer(
  server: () => RunningServer,
  worker: string,
  given: Partial<Peer> & { name: string },
): Peer {
  return {
    lacks: {},
    tellsRetries: true,
    bytesPerByte: 1.3,
    remembers: true,
    turnsToCompact: 1,
    deafCompacting: false,
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

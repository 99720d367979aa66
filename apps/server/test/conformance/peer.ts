// What the conformance suite needs of a peer, whatever its protocol.
import { SessionInfo } from "@patchbay/protocol";
import type { Receiver } from "@patchbay/testing/receiver";
import { promptFor, type Step } from "@patchbay/testing/scene";
import type { RunningServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import * as z from "zod/mini";
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
  /** Plays any prompt at any time; a recording does not. */
  readonly isLive: boolean;
  /** The model has turned its call away, and it waits before the next; only for those that do not report that. */
  isPausing?(): boolean;
  /** The webhook events of the turns that began after this frame, once there are so many. */
  webhookEvents?(session: string, since: number, count: number): Promise<string[]>;
  /** As the list has it. */
  listed(session: string): Promise<SessionInfo>;
  /** What the ledger has of the session. */
  spent(session: string): Promise<Spent>;
}

const Spent = z.looseObject({
  calls: z.number(),
  cost_usd: z.number(),
  unpriced: z.number(),
  estimated: z.number(),
});
export type Spent = z.infer<typeof Spent>;

const TurnEvent = z.object({
  type: z.string(),
  data: z.object({ session: z.object({ id: z.string() }), turn: z.object({ turn: z.number() }) }),
});

/** The events that a server's webhooks must be configured to send. */
export const turnEvents = ["turn.done", "turn.failed", "turn.stopped"];

export const receivedBy =
  (receiver: () => Receiver): NonNullable<Peer["webhookEvents"]> =>
  async (session, since, count) => {
    const events = () =>
      receiver().received.flatMap(({ json }) => {
        const { type, data } = TurnEvent.parse(json);
        return data.session.id === session && data.turn.turn > since ? [type] : [];
      });
    await receiver().until(() => events().length >= count);
    return events();
  };

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
    isLive: true,
    async listed(session) {
      const { body } = await server().call("GET", `/api/sessions/${session}`);
      return z.parse(z.object({ session: SessionInfo }), body).session;
    },
    async spent(session) {
      const { body } = await server().call("GET", `/api/usage?session=${session}`);
      return z.parse(z.object({ total: Spent }), body).total;
    },
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

// The same suite with the real programs and the fake model, where they are installed. Starting one takes seconds, so a
// program's scenarios share one session, which is cleared in between.
import { replyByScene } from "@patchbay/testing/by-scene";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import { promptFor } from "@patchbay/testing/scene";
import type { RunningServer } from "@patchbay/testing/server-process";
import { unless } from "@patchbay/testing/skips";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { turn } from "../machine/dialects/recorded.ts";
import { attach, openSession } from "../support/actor.ts";
import { findAgent, type RealAgent, startRealAgent, versionOf } from "../support/real-agents.ts";
import {
  noBranches,
  noCompaction,
  noQuestions,
  noRetryOf429,
  noThinking,
  notStaged,
  unseenPause,
  wholeCalls,
} from "./lacks.ts";
import { type Peer, peer } from "./peer.ts";
import { playScenario, scenarioNames, scenarios } from "./scenarios.ts";

/** omp takes most of a minute for 1 MiB in small deltas: its updates repeat the whole message, half a gigabyte. */
const patience = 180_000;

/** A provider's library that has to wait for long does not report it, or its program gives up at once. */
const ownPause = {
  "abort retry": { because: "how long it pauses is its own affair" },
} satisfies Peer["lacks"];

const tables: Record<RealAgent, (version: string) => Partial<Peer>> = {
  pi: (version) =>
    version.startsWith("0.7")
      ? {
          ignoresAbortCompacting: true, // its abort ends an answer but not a compaction
          reportsRetries: false, // the provider's library tries again first
          lacks: {
            "small deltas": {
              because:
                "it repeats the whole message in every update, and dies of its own pipe: write ENOBUFS",
            },
            ...ownPause,
          },
        }
      : { lacks: ownPause },
  omp: () => ({
    ignoresAbortCompacting: true, // it reads no command before that is over
    reportsRetries: false,
    lacks: ownPause,
  }),
  zot: () => ({
    bytesPerByte: 2.3,
    remembers: false,
    reportsRetries: false,
    turnsToCompact: 4,
    lacks: {
      "unknown frames": notStaged,
      ...noThinking,
      ...noQuestions,
      ...noRetryOf429,
      ...noBranches,
    },
  }),
  gemini: () => ({
    reportsRetries: false,
    lacks: {
      "unknown frames": notStaged,
      ...noCompaction("ACP has no call for it"),
      ...unseenPause,
      ...wholeCalls,
      ...noBranches,
      "question timed out": { because: "an agent's permission has no time limit" },
    },
  }),
  opencode: () => ({
    reportsRetries: false,
    lacks: {
      "unknown frames": notStaged,
      ...noCompaction("its ACP has no command for it"),
      ...unseenPause,
      ...wholeCalls,
      ...noBranches,
      "question timed out": { because: "an agent's permission has no time limit" },
    },
  }),
};

/** gemini 0.61 writes over its record of a session that is loaded in the minute in which it began. */
const nextMinute = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 60_000 - (Date.now() % 60_000)));

const shells: Partial<Record<RealAgent, Parameters<typeof replyByScene>[0]>> = {
  gemini: { tool: "run_shell_command", asks: () => "touch asked" },
  opencode: { tool: "bash", asks: () => "touch asked" },
};

/** A second try would hide what an agent does not do. */
const onceOnly = { retry: 0 };

describe.each(Object.keys(tables) as RealAgent[])("%s itself", onceOnly, (name) => {
  const program = findAgent(name);
  let model: FakeModel;
  let server: RunningServer;
  let session: string | undefined;
  beforeAll(async () => {
    if (program === undefined) return;
    model = await startFakeModel();
    model.defaultReply = replyByScene(shells[name]);
    server = await startRealAgent(name, program, model);
  }, 120_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
  });

  const real = peer(() => server, name, {
    name,
    ...tables[name](program === undefined ? "" : versionOf(program)),
    async stop(viewer) {
      if (name === "gemini") await nextMinute();
      await server.call("POST", `/api/sessions/${String(viewer.session?.id)}/stop`);
      await viewer.state("stopped");
    },
    async open() {
      if (session === undefined) {
        const first = await openSession(
          server,
          name === "pi" || name === "omp" ? { model: "fake/fake-chat" } : {},
        );
        session = first.session?.id;
        await first.close();
      } else {
        await using before = await attach(server, session);
        if (before.session?.state !== "idle") await before.ask({ type: "abort" });
        await before.state("idle", "stopped", "failed");
        await before.ask({ type: "clear" });
      }
      return attach(server, String(session));
    },
  });

  it("[O404] is tried once", ({ task }) => expect(task.retry).toBe(0));

  const here = unless(program === undefined ? "the real agents are not installed (npm run agents)" : null);
  const story = it.for(scenarioNames.map((scenario) => [scenarios[scenario].does, scenario] as const));
  story("%s", { ...here, timeout: patience }, async ([_does, scenario], { skip }) => {
    const lack = real.lacks[scenario];
    if (lack === undefined) return playScenario(real, scenario, (id) => attach(server, id));
    if (lack.capability === undefined) return skip(lack.because);
    await using viewer = await real.open(scenario, []);
    await viewer.state("idle");
    expect(viewer.session?.capabilities).not.toContain(lack.capability);
  });

  it("[Y13] killed between two turns, it sends the earlier messages to its model", {
    ...unless(real.remembers ? null : "this agent has no memory"),
    ...here,
    timeout: patience,
  }, async () => {
    await using viewer = await real.open("restarted", []);
    await turn(viewer, promptFor([{ say: ["I will keep the word."] }]));
    if (name === "gemini") await nextMinute();
    await real.kill(viewer);
    await turn(viewer, promptFor([{ say: ["Kept."] }]));
    const sent = JSON.stringify(model.requests.at(-1)?.body);
    for (const text of ["I will keep the word.", "Kept."]) expect(sent).toContain(text);
    expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");
  });
});

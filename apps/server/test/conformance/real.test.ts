// The same suite with the real programs and the fake model, where they are installed. Starting one takes seconds, so a
// program's scenarios share one session, which is cleared in between.
import { replyByScene } from "@patchbay/testing/by-scene";
import { type FakeModel, startFakeModel } from "@patchbay/testing/fake-model";
import type { RunningServer } from "@patchbay/testing/server-process";
import { afterAll, beforeAll, describe, it } from "vitest";
import { attach, openSession } from "../actor.ts";
import { findAgent, type RealAgent, startRealAgent } from "../real-agents.ts";
import { noQuestions, noThinking, notStaged, silentRetries } from "./lacks.ts";
import { type Peer, peer } from "./peer.ts";
import { playScenario, scenarioNames, scenarios } from "./scenarios.ts";

const unknownFrames = { "unknown frames": notStaged };

/** Not played yet: the first abort passed once, and timed out in the next run, as did everything after it. Why is not known. */
const unsettled = Object.fromEntries(
  (
    [
      ...(["abort before", "abort thinking", "abort text", "abort tool", "abort question"] as const),
      ...(["queue", "error 401", "question answered", "killed", "restarted"] as const),
    ] as const
  ).map((name) => [
    name,
    {
      because: "an abort timed out in one of two runs, and it is not known whether that is its fault or ours",
    },
  ]),
);

const tables: Record<RealAgent, Partial<Peer>> = {
  pi: {
    tellsRetries: false, // the provider's library tries again first
    lacks: {
      ...unknownFrames,
      "small deltas": { because: "0.74.2 repeats the whole message in every update, and dies of it" },
    },
  },
  omp: {
    lacks: {
      ...unknownFrames,
      retry: { because: "it waits for half a minute first, and says nothing" },
      compact: { because: "it refuses to compact a short session" },
      "small deltas": { because: "it writes half a gigabyte for it, which takes minutes" },
    },
  },
  zot: {
    bytesPerByte: 2.3,
    remembers: false,
    tellsRetries: false,
    turnsToCompact: 4,
    lacks: {
      ...unknownFrames,
      ...noThinking,
      ...noQuestions,
      retry: { because: "it tries 502, 503 and 504 again, not 429" },
    },
  },
  gemini: {
    lacks: {
      ...unknownFrames,
      ...silentRetries,
      compact: { because: "ACP has no call for it", capability: "compact" },
      "question timed out": { because: "an agent's permission has no time limit" },
      ...unsettled,
    },
  },
};

describe.each(Object.keys(tables) as RealAgent[])("%s itself", (name) => {
  const program = findAgent(name);
  let model: FakeModel;
  let server: RunningServer;
  let session: string | undefined;
  beforeAll(async () => {
    if (program === undefined) return;
    model = await startFakeModel();
    model.defaultReply = replyByScene(name === "gemini" ? "run_shell_command" : "bash");
    server = await startRealAgent(name, program, model);
  }, 120_000);
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await model?.[Symbol.asyncDispose]();
  });

  const real = peer(() => server, name, {
    name,
    ...tables[name],
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

  const played = scenarioNames.filter((scenario) => real.lacks[scenario] === undefined);
  it
    .skipIf(program === undefined)
    .each(played.map((scenario) => [scenarios[scenario].does, scenario] as const))(
    "%s",
    (_does, scenario) => playScenario(real, scenario, (id) => attach(server, id)),
    60_000,
  );
});

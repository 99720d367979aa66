// One suite for every worker: each scenario with each peer. What a peer cannot do is in its table, and then its sessions
// must not claim it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { endSessions } from "../machine/dialects/recorded.ts";
import { attach, openSession } from "../support/actor.ts";
import { openStage, peerNames, type Stage } from "./peers.ts";
import { playScenario, scenarioNames, scenarios } from "./scenarios.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => endSessions(stage.server));
afterAll(() => stage[Symbol.asyncDispose]());

describe.each(peerNames)("%s", (name) => {
  it.for(scenarioNames.map((scenario) => [scenarios[scenario].does, scenario] as const))(
    "%s",
    async ([_does, scenario], { skip }) => {
      const peer = stage.peers.find((candidate) => candidate.name === name);
      if (peer === undefined) throw new Error(`no peer ${name}`);
      const lack = peer.lacks[scenario];
      if (lack === undefined) return playScenario(peer, scenario, (id) => attach(stage.server, id));
      if (lack.capability === undefined) return skip(lack.because); // nothing was tested, so it counts as skipped
      await using viewer = await openSession(stage.server, { worker: name });
      expect(viewer.session?.capabilities).not.toContain(lack.capability);
    },
  );
});

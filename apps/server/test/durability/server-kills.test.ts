// kill -9 of the server, again and again, while sessions stream and spend: what viewers were shown is in
// the log under the same number, and the ledger is the sum of the log.
import { toNanoDollars } from "@patchbay/protocol";
import { loggedNanos } from "@patchbay/testing/chaos-check";
import { processesWith } from "@patchbay/testing/processes";
import type { RunningServer } from "@patchbay/testing/server-process";
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { attach, createSession, startActor } from "../support/actor.ts";
import { newSeed, randomFrom, wholeLog } from "./observe.ts";

const rounds = 6;

interface Usage {
  cost_usd: number;
}

interface Watched {
  id: string;
  viewer: TestViewer;
  /** What its viewers were shown, from number 1 on. */
  shown: string[];
  /** The log as it was after the last restart. */
  log: string[];
}

/** What came since the last check is compared here; the whole once, at the end. */
async function checkAfterRestart(server: RunningServer, watched: readonly Watched[]): Promise<void> {
  let spent = 0;
  for (const { id, shown, log } of watched) {
    await using reader = await attach(server, id, { since: log.length });
    const checked = log.length;
    for (const frame of reader.frames) log.push(frame);
    expect(log.slice(checked, shown.length)).toEqual(shown.slice(checked));
    expect(log.length).toBeGreaterThanOrEqual(shown.length);
    const { body } = await server.call("GET", `/api/sessions/${id}`);
    const { session } = body as { session: { usage: Usage; seq: number; state: string } };
    expect(session).toMatchObject({ seq: log.length, state: "stopped" });
    expect(toNanoDollars(session.usage.cost_usd)).toBe(loggedNanos(log));
    spent += loggedNanos(log);
  }
  const { body } = await server.call("GET", "/api/usage?group_by=session");
  expect(toNanoDollars((body as { total: Usage }).total.cost_usd)).toBe(spent);
}

describe("kill -9 of the server", () => {
  it("[G5] 6 times under load: what was shown is in the log, no number is used twice, ledger = log, nobody survives", {
    timeout: 200_000,
  }, async () => {
    const random = randomFrom(newSeed());
    await using server = await startActor({ limits: { attaches_per_minute: 100_000, worker_pool: 0 } });
    await createSession(server, { worker: "stubborn" });
    const ids = [await createSession(server), await createSession(server)];
    const watch = (id: string, since: number) => new TestViewer(server.url, server.token, id, { since });
    const watched: Watched[] = ids.map((id) => ({ id, shown: [], log: [], viewer: watch(id, 0) }));
    for (let round = 0; round < rounds; round++) {
      for (const { viewer } of watched) {
        await viewer.caughtUp();
        viewer.send({ type: "prompt", id: `r${round}`, message: `spend 0.00000${1 + random(9)}` });
      }
      // Sometimes before the worker is ready, mostly in the middle of its answer.
      const { viewer } = watched[random(watched.length)] as Watched;
      const end = viewer.seq + random(600);
      await viewer.until(() => viewer.seq >= end);
      await server.kill();
      for (const one of watched) {
        await one.viewer.untilClosed();
        for (const frame of one.viewer.frames) one.shown.push(frame);
        expect(one.shown).toHaveLength(one.viewer.seq);
      }
      await server.start();
      const alive = processesWith("HOME", server.home).filter((pid) => pid !== server.process.pid);
      expect(alive, `round ${round}`).toEqual([]);
      await checkAfterRestart(server, watched);
      if (round % 5 === 4)
        console.log(`${round + 1} kills, ${watched.map(({ log }) => log.length).join(" and ")} frames`);
      for (const one of watched) one.viewer = watch(one.id, one.shown.length);
    }
    for (const { id, viewer, log } of watched) {
      await viewer.close();
      expect((await wholeLog(server, id)).slice(0, log.length)).toEqual(log);
    }
  });
});

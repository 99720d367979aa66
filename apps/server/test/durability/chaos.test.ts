// The chaos run, for a short time: `npm run chaos -- --minutes 60 --seed N` does the same for longer.
import { runChaos } from "@patchbay/testing/chaos";
import { checkSessions } from "@patchbay/testing/chaos-check";
import { ChaosRecord } from "@patchbay/testing/chaos-record";
import { describe, expect, it } from "vitest";
import { openSession, startActor } from "../support/actor.ts";
import { newSeed, wholeLog } from "./observe.ts";

describe("chaos", () => {
  it("[G60] 30 sessions, 60 viewers, kills, freezes, full disks and jumping clocks: nothing shown is lost, no prompt runs twice, ledger = log", {
    timeout: 400_000,
    retry: 0,
  }, async () => {
    const report = await runChaos({
      seed: newSeed(),
      seconds: 25,
      sessions: 30,
      viewersPerSession: 2,
      print: (text) => console.log(text),
    });
    console.log(JSON.stringify(report));
    expect(report.violations).toEqual([]);
    expect(report.prompts).toBeGreaterThan(50);
    expect(report.frames).toBeGreaterThan(1_000);
    for (const action of ["kill worker", "cut", "abort"]) expect(report.actions[action]).toBeGreaterThan(0);
  });

  it("[G61] the checker sees a frame that is not in the log, one of another content, a prompt that was lost and one that ran twice", async () => {
    await using server = await startActor();
    await using viewer = await openSession(server);
    const session = String(viewer.session?.id);
    const ids = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
    for (const id of [ids[0], ids[0]]) {
      await viewer.ask({ type: "prompt", message: `do ${id} 1` });
      await viewer.until(() => viewer.session?.state === "idle");
    }
    const log = await wholeLog(server, session);
    const record = new ChaosRecord();
    const answer = { success: true, data: { started: true } };
    for (const id of ids) record.prompts.set(id, { id, session, viewer: "v", message: "", answer });
    log.forEach((line, index) => record.show(session, index + 1, line));
    record.show(session, log.length + 5, "never written");
    record.show(session, 2, "something else");
    await checkSessions(server, [session], record);
    expect(record.violations.map((text) => text.replace(/^\S+ /, "")).sort()).toEqual([
      expect.stringMatching(/^answered .* and began 0 times/),
      expect.stringMatching(/^answered .* and began 2 times/),
      expect.stringMatching(/^began 2 times/),
      `frame ${log.length + 5} was shown and is not in the log`,
      "frame 2 was shown with two contents",
    ]);
  });
});

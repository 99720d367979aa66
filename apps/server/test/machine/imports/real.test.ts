// The real pi and omp, where they are installed: stopped and started again, and continued from what they left on disk.
import { join } from "node:path";
import { type FoundSession, messageText } from "@patchbay/protocol";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { LocalPeer } from "@patchbay/testing/local-peer";
import { unless } from "@patchbay/testing/skips";
import { describe, expect, it } from "vitest";
import { openSession } from "../../support/actor.ts";
import { findAgent, startRealAgent } from "../../support/real-agents.ts";
import { turn } from "../dialects/recorded.ts";

describe.each(["pi", "omp"] as const)("%s itself", (name) => {
  const program = findAgent(name);
  it("[Y45] [Y52] [Y56] resumes with its memory, is not counted twice, and continues its file", {
    ...unless(program === undefined ? "the real agents are not installed (npm run agents)" : null),
    timeout: 180_000,
  }, async () => {
    await using model = await startFakeModel();
    await using server = await startRealAgent(name, program ?? "", model);
    await using viewer = await openSession(server, { model: "fake/fake-chat" });
    const calls = async () =>
      ((await server.call("GET", "/api/usage")).body as { total: { calls: number } }).total.calls;
    const sent = () => JSON.stringify(model.requests.at(-1)?.body);
    model.reply({ text: "You are Ada.", usage: { input: 1000, output: 100 } });
    await turn(viewer, "my name is Ada");
    const { id } = viewer.session ?? {};
    await server.call("POST", `/api/sessions/${String(id)}/stop`);
    model.reply({ text: "Ada, still.", usage: { input: 1100, output: 10 } });
    await turn(viewer, "who am I?");
    expect(sent()).toContain("my name is Ada");
    expect(JSON.stringify(viewer.transcript.marks)).not.toContain("does not remember");
    expect(await calls()).toBe(2);

    await using peer = await LocalPeer.at(join(server.home, ".patchbay/daemon.sock"));
    const report = (await peer.ask("imports/costs")) as { import: { programs: object[] } };
    expect(report.import.programs).toMatchObject([{ program: name, files: 1, added: 0, known: 2 }]);
    expect(await calls()).toBe(2);

    const listed = async () =>
      ((await server.call("GET", "/api/imports")).body as { sessions: FoundSession[] }).sessions;
    const [here] = await listed();
    expect(here).toMatchObject({ program: name, message_count: 4, continued_as: id });
    const wish = { import: { program: name, session: here?.session } };
    expect((await server.call("POST", "/api/sessions", wish)).text).toContain("was already imported");
    await server.call("DELETE", `/api/sessions/${String(id)}`);
    expect((await listed())[0]).toMatchObject({ workers: [name, "builtin"] });
    await using continued = await openSession(server, wish);
    expect(continued.transcript.messages.map(messageText)).toEqual([
      "my name is Ada",
      "You are Ada.",
      "who am I?",
      "Ada, still.",
    ]);
    model.reply({ text: "Ada, again.", usage: { input: 1200, output: 10 } });
    await turn(continued, "and now?");
    for (const words of ["my name is Ada", "who am I?", "and now?"]) expect(sent()).toContain(words);
    expect(continued.transcript.messages).toHaveLength(6);
    expect(await calls()).toBe(3);
    await peer.ask("imports/costs");
    expect(await calls()).toBe(3);
  });
});

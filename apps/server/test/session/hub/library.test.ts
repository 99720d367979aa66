// Sessions as a library: kept in order, deleted with a way back, searched, and their files found.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionInfo } from "@patchbay/protocol";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor, useSharedActor } from "../../support/actor.ts";
import { eventually, forgetSearch, search } from "../../support/searching.ts";

const answered = (words: string): string =>
  `frames ${JSON.stringify([{ type: "assistant_message", content: [{ type: "text", text: words }], time: "2026-01-01T00:00:00Z" }])}`;

describe("the library", () => {
  it("[L20] [P203] pinned, archived and what the list shows are kept across a restart; a turn that it cut off is interrupted", async () => {
    await using server = await startActor();
    await using viewer = await openSession(server);
    const { id = "", updated_at } = viewer.session ?? {};
    const { body } = await server.call("PATCH", `/api/sessions/${id}`, { pinned: true, archived: true });
    expect(body).toMatchObject({ session: { pinned: true, archived: true, updated_at } });
    await server.call("PATCH", `/api/sessions/${id}`, { archived: false });
    await viewer.ask({ type: "prompt", message: answered("One.\n\n- **Two** of `them`\n") });
    await viewer.until(() => viewer.session?.last_line === "Two of them");
    const finished = await createSession(server);
    const cut = await openSession(server);
    await cut.ask({ type: "prompt", message: "ask 600000" });
    await cut.state("waiting");
    await server.kill();
    for (const round of ["after the kill", "after another restart"]) {
      await server.start();
      const { body: after } = await server.call("GET", "/api/sessions");
      const { sessions } = after as { sessions: SessionInfo[] };
      const of = (wanted: string | undefined) => sessions.find((session) => session.id === wanted);
      expect(of(id), round).toMatchObject({ pinned: true, archived: false, last_line: "Two of them" });
      expect(of(cut.session?.id), round).toMatchObject({ interrupted: true, state: "stopped" });
      expect(of(cut.session?.id)?.capabilities, round).toContain("compact");
      for (const whole of [id, finished]) expect(of(whole)?.interrupted, round).toBeUndefined();
      await server.kill();
    }
    await server.start();
    expect((await server.call("PATCH", `/api/sessions/${id}`, { pinned: "yes" })).status).toBe(400);
  });

  it("[L21] a deletion can be undone until its time is up, which a restart does not forget", async () => {
    await using server = await startActor();
    const [back, gone] = [await createSession(server, { name: "back" }), await createSession(server)];
    await using viewer = await attach(server, back);
    await viewer.state("idle");
    const later = await server.call("DELETE", `/api/sessions/${back}?undo=3600`);
    expect(later).toMatchObject({ status: 202, body: { session: { deletes_at: expect.any(String) } } });
    await viewer.state("stopped");
    await server.call("DELETE", `/api/sessions/${gone}?undo=3600`);
    const list = { sessions: [], deleting: [{ id: gone }, { id: back }] };
    expect((await server.call("GET", "/api/sessions")).body).toMatchObject(list);
    const restored = await server.call("POST", `/api/sessions/${back}/restore`);
    expect(restored.body).toMatchObject({ session: { name: "back" } });
    expect(restored.text).not.toContain("deletes_at");
    expect((await server.call("DELETE", `/api/sessions/${gone}?undo=1`)).status).toBe(202);
    await server.kill();
    await server.start();
    expect((await server.call("GET", "/api/sessions")).body).toMatchObject({ sessions: [{ id: back }] });
    const status = async () => (await server.call("GET", `/api/sessions/${gone}`)).status;
    expect(await eventually(status, (answer) => answer !== 200)).toBe(404);
    expect((await server.call("DELETE", `/api/sessions/${back}?undo=0`)).status).toBe(400);
  });

  it("[L23] what was said is found at once, after kill -9, and no longer when it is cleared or deleted", async () => {
    await using server = await startActor();
    await using viewer = await openSession(server, { name: "fruit" });
    const session = viewer.session?.id ?? "";
    await viewer.ask({ type: "prompt", message: answered("an uncommon persimmon") });
    const found = () => search(server, { q: "persimm" });
    const [hit] = await eventually(found, (hits) => hits.length === 2);
    expect(hit).toMatchObject({ session, name: "fruit", kind: "answer", branch: "main" });
    expect(hit?.snippet.find(({ match }) => match)?.text).toBe("persimmon");
    const first = viewer.seq - viewer.frames.length + 1;
    const frame: unknown = JSON.parse(viewer.frames[(hit?.seq ?? 0) - first] ?? "");
    expect(frame).toMatchObject({ type: "assistant_message" });
    expect(await search(server, { q: "persimmon", cwd: "/elsewhere" })).toEqual([]);
    expect(await search(server, { q: "persimmon", kind: "prompt" })).toHaveLength(1);
    await viewer.ask({ type: "prompt", message: answered("a quince, which nobody had time to write down") });
    await viewer.until(() => viewer.transcript.messages.length === 4);
    await server.kill();
    await server.start();
    await eventually(
      () => search(server, { q: "quince" }),
      (hits) => hits.length === 2,
    );
    await server.call("POST", `/api/sessions/${session}/stop`);
    await server.kill();
    forgetSearch(server.home);
    await server.start();
    await eventually(found, (hits) => hits.length === 2);
    await server.call("DELETE", `/api/sessions/${session}?undo=3600`);
    expect(await found()).toEqual([]);
    await server.call("POST", `/api/sessions/${session}/restore`);
    expect(await found()).toHaveLength(2);
    expect((await server.call("DELETE", `/api/sessions/${session}`)).status).toBe(204);
    expect(await found()).toEqual([]);
    expect((await server.call("GET", "/api/search?q=x&kind=nonsense")).status).toBe(400);
  });

  it("[L25] paths of a session's directory are found as git would show them, and no link is followed", async () => {
    await using server = await startActor();
    const put = (path: string): void => writeFileSync(join(server.cwd, path), path);
    mkdirSync(join(server.cwd, "src"));
    mkdirSync(join(server.cwd, "built"));
    for (const path of ["src/retry.ts", "built/retry.js", "notes.log", "README.md"]) put(path);
    symlinkSync("/etc", join(server.cwd, "src/retry-out"));
    symlinkSync("/etc/passwd", join(server.cwd, "retry-passwd"));
    const id = await createSession(server);
    const find = async (q: string): Promise<string[]> => {
      const { body } = await server.call("GET", `/api/sessions/${id}/paths?q=${q}`);
      return (body as { paths: { path: string }[] }).paths.map(({ path }) => path);
    };
    expect(await find("retry")).toEqual(["src/retry.ts", "built/retry.js"]);
    const other = join(server.cwd, "repository");
    mkdirSync(other);
    execFileSync("git", ["init", "-q"], { cwd: other });
    writeFileSync(join(other, ".gitignore"), "built\n*.log\n");
    // Whatever the agent writes into git's config, looking for files does not run it.
    execFileSync("git", ["config", "core.fsmonitor", `touch ${join(server.cwd, "ran")}`], { cwd: other });
    mkdirSync(join(other, "src"));
    mkdirSync(join(other, "built"));
    for (const path of ["src/retry.ts", "built/retry.js", "retry.log"])
      writeFileSync(join(other, path), path);
    symlinkSync("/etc", join(other, "retry-out"));
    const inside = await createSession(server, { cwd: other });
    const { body } = await server.call("GET", `/api/sessions/${inside}/paths?q=retry`);
    expect(body).toEqual({ paths: [{ path: "src/retry.ts", bytes: 12 }] });
    const all = await server.call("GET", `/api/sessions/${inside}/paths`);
    expect(all.body).toMatchObject({
      paths: [{ path: "src/" }, { path: "src/retry.ts" }, { path: ".gitignore" }],
    });
    expect(await find("ran")).toEqual([]);
  });
});

describe("what waits", () => {
  it("[L26] a queued prompt can be given other words, and runs with them", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    viewer.send({ type: "prompt", message: "hang" });
    await viewer.state("busy");
    await viewer.ask({ type: "prompt", message: "say one" });
    const queue = await viewer.line(
      (line) => line.type === "queue" && Array.isArray(line["items"]) && line["items"].length === 1,
    );
    const item = (queue["items"] as { id: string }[])[0]?.id ?? "";
    expect(await viewer.ask({ type: "queue_edit", item, message: " " })).toMatchObject({ success: false });
    expect(await viewer.ask({ type: "queue_edit", item: "nope", message: "x" })).toMatchObject({
      success: false,
    });
    expect(await viewer.ask({ type: "queue_edit", item, message: "say two" })).toMatchObject({
      success: true,
    });
    await viewer.ask({ type: "abort" });
    await viewer.until(() => JSON.stringify(viewer.transcript.messages).includes('"say two"'));
    expect(JSON.stringify(viewer.transcript.messages)).not.toContain("say one");
  });

  it("[L27] steering that an abort left can be taken back, and is not said when the worker dies", async () => {
    await using model = await startFakeModel();
    model.reply({ text: "one", hangBefore: "end" }, { text: "two" });
    await using server = await startServer({
      env: {
        ANTHROPIC_API_KEY: "sk-ant-test-key-1234567890",
        ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
      },
    });
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "first" });
    await viewer.until(() => (viewer.transcript.partial?.content.length ?? 0) > 0);
    await viewer.ask({ type: "steer", message: "rather this" });
    await viewer.ask({ type: "abort" });
    await viewer.state("idle");
    expect(viewer.transcript.surface.steering).toEqual(["rather this"]);
    const wrong = await viewer.ask({ type: "steer_remove", index: 0, text: "something else" });
    expect(wrong).toMatchObject({ success: false });
    expect(await viewer.ask({ type: "steer_remove", index: 0, text: "rather this" })).toMatchObject({
      success: true,
    });
    await viewer.until(() => viewer.transcript.surface.steering.length === 0);
    await server.call("POST", `/api/sessions/${viewer.session?.id}/stop`);
    await viewer.ask({ type: "prompt", message: "second" });
    await viewer.until(() => JSON.stringify(viewer.transcript.messages).includes('"two"'));
    expect(JSON.stringify(viewer.transcript.messages)).not.toContain("rather this");
  });
});

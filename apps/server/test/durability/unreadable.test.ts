// What a server finds at its start and cannot read is left out and told; everything else is served.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningServer } from "@patchbay/testing/server-process";
import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, it } from "vitest";
import { attach, createSession, openSession, startActor } from "../support/actor.ts";

const homeOf = (server: RunningServer): string => join(server.home, ".patchbay");

/** Ends the server, changes its database, and starts it again. */
async function spoil(server: RunningServer, statements: string): Promise<void> {
  await server.kill();
  const database = new DatabaseSync(join(homeOf(server), "patchbay.db"));
  database.exec(statements);
  database.close();
  await server.start();
}

describe("what cannot be read", () => {
  it("[T22] rows of the database are left out and told, and the rest is served", async () => {
    await using server = await startActor();
    await using first = await openSession(server);
    const id = String(first.session?.id);
    await first.ask({ type: "prompt", message: "say hello" });
    await first.until(() => first.session?.state === "idle");
    await spoil(
      server,
      `create temp table copy as select * from sessions;
       update copy set id = 'broken', created_at = 9000000000000000;
       insert into sessions select * from copy;
       insert into queue (session, id, position, task) values ('${id}', 'bad', 0, 'not json'), ('${id}', 'deep', 1, '{"id":7}');
       insert into questions (session, id, question) values ('${id}', 'bad', '[]');
       insert into answers (session, viewer, id, response, time) values ('${id}', 'v', 'bad', '{', 1);
       insert into budgets (id, terms, created_at, created_by) values ('bad', '{"limit_usd":-1}', 1, '');`,
    );
    await using viewer = await attach(server, id);
    expect(viewer.transcript.messages.length).toBeGreaterThan(0);
    expect((await viewer.ask({ type: "prompt", message: "say again" })).success).toBe(true);
    const { body } = await server.call("GET", "/api/sessions");
    expect((body as { sessions: { id: string }[] }).sessions.map((session) => session.id)).toEqual([id]);
    expect((await server.call("GET", "/api/budgets")).status).toBe(200);
    const told = server
      .stderr()
      .split("\n")
      .filter((line) => line.includes("cannot be read and is left out"));
    for (const table of ["sessions", "queue", "questions", "answers", "budgets"])
      expect(told.some((line) => line.includes(`"table":"${table}"`))).toBe(true);
  });

  it("[T23] a session whose log has lost a file says so, can be deleted, and keeps no other from being served", async () => {
    await using server = await startActor({ limits: { replay_bytes: 2_000 } });
    await using broken = await openSession(server);
    const id = String(broken.session?.id);
    for (let turn = 0; turn < 4; turn++) {
      await broken.ask({ type: "prompt", message: "flood 100 100" });
      await broken.until(() => broken.session?.state === "idle" && broken.transcript.partial === null);
    }
    const sound = await createSession(server);
    await server.kill();
    const directory = join(homeOf(server), "sessions", id);
    const segments = readdirSync(directory).filter((name) => name.endsWith(".frames"));
    rmSync(join(directory, segments.sort()[0] ?? ""));
    await server.start();
    await using viewer = await attach(server, sound);
    await viewer.ask({ type: "prompt", message: "say still here" });
    await viewer.state("idle");
    const read = await server.call("GET", `/api/sessions/${id}/messages`);
    expect(read).toMatchObject({
      status: 500,
      body: { error: { message: expect.stringContaining("lacks the frames") } },
    });
    const { body } = await server.call("GET", `/api/sessions/${id}`);
    expect(body).toMatchObject({
      session: { state: "failed", reason: expect.stringContaining("cannot be opened") },
    });
    expect((await server.call("DELETE", `/api/sessions/${id}?undo=60`)).status).toBe(202);
    expect((await server.call("POST", `/api/sessions/${id}/restore`)).status).toBe(200);
    expect((await server.call("DELETE", `/api/sessions/${id}`)).status).toBe(204);
    expect((await server.call("GET", `/api/sessions/${id}`)).status).toBe(404);
  });

  it("[T24] a database that is none ends the start with a sentence that says what to do", async () => {
    await using server = await startActor();
    await server.kill();
    for (const end of ["-wal", "-shm"]) rmSync(join(homeOf(server), `patchbay.db${end}`), { force: true });
    writeFileSync(
      join(homeOf(server), "patchbay.db"),
      "this is no database, whatever its name says".repeat(100),
    );
    await expect(server.start()).rejects.toThrow(/cannot be opened.*Restore a backup/s);
  });
});

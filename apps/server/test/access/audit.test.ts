// The audit of a server with people: what it says, who reads it, and that a change of it is found.

import { join } from "node:path";
import { type AuditEntry } from "@patchbay/protocol";
import { TestViewer } from "@patchbay/testing/socket-client";
import { DatabaseSync } from "@photostructure/sqlite";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { checkChain } from "../../src/access/audit/audit-chain.ts";
import { AuditLog } from "../../src/access/audit/audit-log.ts";
import { openStore } from "../support/open-store.ts";
import { openTeam, session, share, type Team } from "../support/team.ts";

async function audited(team: Team, token: string, query = ""): Promise<AuditEntry[]> {
  const { status, body } = await team.call(token, "GET", `/api/audit${query}`);
  expect(status).toBe(200);
  return body.entries;
}

describe("the audit", () => {
  it("[X140] says who did what in which session, with its result, failures too", async () => {
    await using team = await openTeam();
    const [ada, bob] = [await team.add("ada"), await team.add("bob")];
    const id = await session(team, ada.token);
    await share(team, ada.token, id, { team: "watch", grants: [] });
    await team.call(bob.token, "DELETE", `/api/sessions/${id}`);
    await using viewer = new TestViewer(team.url, bob.token, id);
    await viewer.caughtUp();
    await viewer.ask({ type: "prompt", message: "the secret plan" });
    const entries = await audited(team, team.token, `?target=${id}`);
    expect(entries.map(({ author, action, result }) => [author, action, result])).toEqual([
      ["bob", "session.drive", "forbidden"],
      ["bob", "session.delete", "forbidden"],
      ["ada", "session.share", "ok"],
    ]);
    expect(entries[0]?.detail).toMatchObject({ command: "prompt", length: 15 });
    expect(JSON.stringify(entries)).not.toContain("secret plan");
    expect(entries[2]).toMatchObject({
      person: ada.id,
      via: expect.stringMatching(/^personal /),
      address: "127.0.0.1",
    });
  });

  it("[X141] shows everybody their own entries, and an admin all", async () => {
    await using team = await openTeam();
    const [ada, bob] = [await team.add("ada"), await team.add("bob")];
    await session(team, ada.token);
    await session(team, bob.token);
    expect(new Set((await audited(team, ada.token)).map(({ author }) => author))).toEqual(new Set(["ada"]));
    expect((await team.call(ada.token, "GET", `/api/audit?person=${bob.id}`)).status).toBe(403);
    expect((await audited(team, team.token)).map(({ author }) => author)).toEqual(
      expect.arrayContaining(["ada", "bob"]),
    );
    expect((await team.call(ada.token, "GET", "/api/audit/check")).status).toBe(403);
    expect((await team.call(team.token, "GET", "/api/audit/check")).body).toMatchObject({ broken: null });
  });

  it("[X142] is empty on a server without people", async () => {
    await using team = await openTeam();
    await session(team, team.token);
    expect(await audited(team, team.token)).toEqual([]);
  });
});

describe("the chain of the audit", () => {
  const event = (action: string) => ({
    person: "p1",
    author: "Ada",
    via: "login 1",
    address: "::1",
    action,
    target: "",
    result: "ok",
    detail: { n: 1, text: "é\u2028" },
  });
  const open = (store: Awaited<ReturnType<typeof openStore>>["store"], retentionDays?: number) =>
    AuditLog.open({ store: store.audit, log: pino({ enabled: false }), retentionDays, saved: () => {} });

  it("[X143] finds an entry that was changed, removed or inserted, and goes on after a restart", async () => {
    await using opened = await openStore();
    const first = await open(opened.store);
    await Promise.all(["a", "b", "c"].map((action) => first.record(event(action))));
    const second = await open(opened.store);
    await second.record(event("d"));
    expect(await second.verify()).toMatchObject({ entries: 4, broken: null });
    const database = new DatabaseSync(join(opened.home, "patchbay.db"));
    const brokenAfter = async (sql: string) => {
      database.exec(`SAVEPOINT test; ${sql}`);
      database.exec("RELEASE test");
      return (await checkChain(opened.store.audit)).broken?.seq;
    };
    expect(await brokenAfter("update audit set author = 'Eve' where seq = 3")).toBe(3);
    expect(await brokenAfter("update audit set author = 'Ada' where seq = 3")).toBeUndefined();
    expect(await brokenAfter("update audit set detail = 'x' where seq = 2")).toBe(2);
    expect(await brokenAfter("delete from audit where seq = 2")).toBe(3);
    database.close();
  });

  it("[X144] loses what is older than its retention time, and stays whole", async () => {
    await using opened = await openStore();
    const log = await open(opened.store);
    for (const action of ["a", "b", "c"]) await log.record(event(action));
    const [, old] = await opened.store.audit.read(0, 10);
    if (old === undefined) throw new Error("no entry");
    await opened.store.audit.removeUpTo({ seq: old.seq, hash: old.hash });
    const again = await open(opened.store, 30);
    await again.record(event("d"));
    expect(await again.verify()).toMatchObject({ entries: 2, newest: { seq: 4 }, broken: null });
    await again.close();
  });
});

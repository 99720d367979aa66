// Share links against a running server: what a visitor is sent, when a link ends, and what its secret opens.
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { ask } from "../attacks/access/http-client.ts";
import { openTeam, session, type Team } from "../support/team.ts";

interface Link {
  id: string;
  secret: string;
}

const everything = { mode: "live", hidden: [], expires_days: null };

async function link(team: Team, token: string, id: string, terms: object = {}): Promise<Link> {
  const { status, body } = await team.call(token, "POST", `/api/sessions/${id}/shares`, {
    ...everything,
    ...terms,
  });
  if (status !== 201) throw new Error(`no link: ${status} ${JSON.stringify(body)}`);
  return { id: body.share.id, secret: body.secret };
}

const visit = (team: Team, { id, secret }: Link, headers: Record<string, string> = {}) =>
  ask(team, `/api/shared/${id}`, { headers: { "x-share-secret": secret, ...headers } });

async function prompt(team: Team, token: string, id: string, message: string): Promise<void> {
  await using viewer = new TestViewer(team.url, token, id);
  await viewer.caughtUp();
  const turns = () => viewer.transcript.marks.filter((mark) => mark.kind === "turn").length;
  const before = turns();
  await viewer.ask({ type: "prompt", message });
  await viewer.until(() => turns() > before);
}

/** Ada has a session in which she prompted. */
async function shared(team: Team) {
  const ada = await team.add("ada");
  const id = await session(team, ada.token);
  await prompt(team, ada.token, id, "say hello of /home/ada/plan.txt");
  return { ada, id };
}

describe("a share link", () => {
  it("[X400] shows the session to whoever has it, without a login and without a cookie", async () => {
    await using team = await openTeam();
    const { ada, id } = await shared(team);
    const made = await link(team, ada.token, id);
    expect(Buffer.from(made.secret, "base64url")).toHaveLength(32);
    const { status, body, headers } = await visit(team, made);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ mode: "live", hidden: [], working: false, earlier: 0 });
    expect(body).toContain("hello of /home/ada/plan.txt");
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    expect(headers["set-cookie"]).toBeUndefined();
    const audit = await team.call(team.token, "GET", `/api/audit?target=${id}&action=session.share`);
    expect(audit.body.entries[0]).toMatchObject({
      author: "ada",
      result: "ok",
      detail: { share: made.id, mode: "live" },
    });
    expect(JSON.stringify(audit.body)).not.toContain(made.secret);
  });

  it("[X400] works on a server without people, for the holder of its token", async () => {
    await using team = await openTeam();
    const id = await session(team, team.token);
    await prompt(team, team.token, id, "say hello");
    expect((await visit(team, await link(team, team.token, id))).body).toContain("hello");
  });

  it("[X401] live shows what came later, and frozen does not", async () => {
    await using team = await openTeam();
    const { ada, id } = await shared(team);
    const live = await link(team, ada.token, id);
    const frozen = await link(team, ada.token, id, { mode: "frozen" });
    const first = await link(team, ada.token, id, { mode: "frozen", messages: 1 });
    const before = await visit(team, frozen);
    await visit(team, live);
    await prompt(team, ada.token, id, "say something new");
    await expect
      .poll(async () => (await visit(team, live)).body, { timeout: 10_000 })
      .toContain("something new");
    expect((await visit(team, frozen)).body).toBe(before.body);
    expect(JSON.parse((await visit(team, first)).body).messages).toHaveLength(1);
  });

  it("[X402] answers 304 to a page that has it all, and counts only who opens it", async () => {
    await using team = await openTeam();
    const { ada, id } = await shared(team);
    const made = await link(team, ada.token, id);
    const etag = String((await visit(team, made)).headers["etag"]);
    const again = await visit(team, made, { "if-none-match": etag });
    expect([again.status, again.body]).toEqual([304, ""]);
    await visit(team, made);
    const { body } = await team.call(ada.token, "GET", `/api/sessions/${id}/shares`);
    expect(body.shares).toMatchObject([{ id: made.id, views: 2, last_viewed_at: expect.any(String) }]);
    expect(JSON.stringify(body)).not.toContain(made.secret);
  });

  it("[X403] leaves out on the server what its owner hides, and a preview shows the same", async () => {
    await using team = await openTeam();
    const { ada, id } = await shared(team);
    const terms = { ...everything, hidden: ["paths", "names", "costs", "thinking", "tool_output"] };
    const made = await link(team, ada.token, id, terms);
    const { body } = await visit(team, made);
    expect(body).not.toContain("plan.txt");
    expect(body.toLowerCase()).not.toContain("ada");
    expect(JSON.parse(body)).toMatchObject({
      usage: null,
      session: expect.not.objectContaining({ cwd: expect.anything() }),
    });
    const before = await team.call(ada.token, "POST", `/api/sessions/${id}/shares/preview`, terms);
    const after = await team.call(ada.token, "GET", `/api/sessions/${id}/shares/${made.id}/preview`);
    expect(before.body).toEqual(JSON.parse(body));
    expect(after.body).toEqual(JSON.parse(body));
  });

  it("[X404] ends when it is revoked, with its session, and with its owner's account", async () => {
    await using team = await openTeam();
    const { ada, id } = await shared(team);
    const ended = async (made: Link) => {
      const { status, body } = await visit(team, made);
      return [status, JSON.parse(body).error];
    };
    const revoked = await link(team, ada.token, id);
    expect((await team.call(ada.token, "DELETE", `/api/sessions/${id}/shares/${revoked.id}`)).status).toBe(
      204,
    );
    expect(await ended(revoked)).toEqual([410, { code: "link_ended", message: "This link was revoked." }]);
    const [live, frozen] = [
      await link(team, ada.token, id),
      await link(team, ada.token, id, { mode: "frozen" }),
    ];
    await team.app.access.people.update(ada.id, { state: "disabled" });
    expect((await ended(live))[0]).toBe(410);
    expect((await ended(frozen))[0]).toBe(410);
    await team.app.access.people.update(ada.id, { state: "active" });
    expect((await visit(team, live)).status).toBe(200);
    await team.call(ada.token, "DELETE", `/api/sessions/${id}`);
    const deleted = [410, { code: "link_ended", message: "The session of this link was deleted." }];
    expect(await ended(live)).toEqual(deleted);
    expect(await ended(frozen)).toEqual(deleted);
  });

  it("[X410] is only its owner's to make, see and revoke", async () => {
    await using team = await openTeam();
    const { ada, id } = await shared(team);
    const bob = await team.add("bob");
    const made = await link(team, ada.token, id);
    for (const token of [bob.token, team.token]) {
      expect((await team.call(token, "POST", `/api/sessions/${id}/shares`, everything)).status).toBe(404);
      expect((await team.call(token, "GET", `/api/sessions/${id}/shares`)).status).toBe(404);
      expect((await team.call(token, "DELETE", `/api/sessions/${id}/shares/${made.id}`)).status).toBe(404);
    }
    const other = await session(team, bob.token);
    expect((await team.call(bob.token, "DELETE", `/api/sessions/${other}/shares/${made.id}`)).status).toBe(
      404,
    );
    expect((await visit(team, made)).status).toBe(200);
  });

  it("[X411] opens no other call, however its secret is sent", async () => {
    await using team = await openTeam();
    const { ada, id } = await shared(team);
    const { secret, id: share } = await link(team, ada.token, id);
    const calls = team.app.routes().filter(({ open, url }) => !open && !url.includes("*"));
    expect(calls.length).toBeGreaterThan(50);
    for (const { method, url } of calls) {
      const path = url
        .replace("/sessions/:id", `/sessions/${id}`)
        .replace(":share", share)
        .replaceAll(/:\w+/g, "x");
      const headers = {
        "x-share-secret": secret,
        authorization: `Bearer ${secret}`,
        cookie: `patchbay=${secret}`,
      };
      const { status } = await ask(team, path, { method, headers });
      expect([401, 429], `${method} ${url}`).toContain(status);
    }
  });

  it("[X412] is not guessed: a wrong secret and a link that does not exist are the same, and both are throttled", async () => {
    await using team = await openTeam();
    const { ada, id } = await shared(team);
    const made = await link(team, ada.token, id);
    const wrong = await visit(team, { ...made, secret: `${made.secret}x` });
    const missing = await visit(team, { id: "x".repeat(12), secret: made.secret });
    expect(wrong.status).toBe(404);
    expect(missing).toMatchObject({ status: 404, body: wrong.body });
    const statuses: number[] = [];
    for (let tries = 0; tries < 30; tries++)
      statuses.push((await visit(team, { ...made, secret: "guess" })).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await visit(team, made)).status).toBe(200); // programs of this machine share its address
  });

  it("[X413] has a page that may load its own files and its own call, and nothing else", async () => {
    await using team = await openTeam();
    const { ada, id } = await shared(team);
    const made = await link(team, ada.token, id);
    const { status, headers, body } = await ask(team, `/shared/${made.id}`);
    expect(status).toBe(200);
    const policy = String(headers["content-security-policy"]);
    expect(policy.split("; ").sort()).toEqual([
      "base-uri 'none'",
      `connect-src ${team.url}/api/shared/${made.id}`,
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src data:",
      `script-src ${team.url}/assets/`,
      `style-src ${team.url}/assets/`,
    ]);
    expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" });
    expect(headers["set-cookie"]).toBeUndefined();
    const scripts = [...body.matchAll(/src="([^"]+)"/g)].map(([, src = ""]) => src);
    expect(scripts).toHaveLength(1);
    expect((await ask(team, scripts[0] ?? "")).status).toBe(200);
    expect((await ask(team, "/shared.html")).body).toContain('id="root"'); // the app: without that policy it is not served
    for (const bad of ["/shared/a;b", "/shared/%22", `/shared/${"x".repeat(50)}`])
      expect((await ask(team, bad)).status).toBe(400);
  });

  it("[X414] refuses terms that it does not know", async () => {
    await using team = await openTeam();
    const id = await session(team, team.token);
    for (const terms of [
      { hidden: ["everything"] },
      { mode: "open" },
      { expires_days: 0 },
      { more: 1 },
      { messages: -1 },
    ]) {
      const { status } = await team.call(team.token, "POST", `/api/sessions/${id}/shares`, {
        ...everything,
        ...terms,
      });
      expect(status).toBe(400);
    }
  });
});

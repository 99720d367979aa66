// How people of a team log in: invitations, passwords, what is throttled, and what ends with a reset or a disabled account.
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { hashPassword, isPassword } from "../../src/access/accounts/password-hash.ts";
import { base32, codeAt, stepOf } from "../../src/access/accounts/totp.ts";
import { type Answered, ask, cookieIn } from "../attacks/access/http-client.ts";
import { openTeam, session, share, type Team } from "../support/team.ts";

const password = "a rather long passphrase";

const post = (team: Team, path: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(team, path, { method: "POST", body, headers });
const logIn = (team: Team, body: unknown, headers: Record<string, string> = {}) =>
  post(team, "/api/login", body, headers);

/** Invites a person; returns the secret of the link. */
async function invite(
  team: Team,
  handle: string,
  role = "member",
): Promise<{ id: string; invitation: string }> {
  const { status, body } = await team.call(team.token, "POST", "/api/people", { handle, name: handle, role });
  expect(status).toBe(201);
  return { id: body.person.id, invitation: secretIn(body.invitation.link) };
}

const secretIn = (link: string): string => /#invitation=([\w-]+)$/.exec(link)?.[1] ?? "";

/** The headers of a browser after a login. */
function browser(answered: Answered): Record<string, string> {
  expect([answered.status, answered.body]).toEqual([201, expect.anything()]);
  return { cookie: cookieIn(answered), "x-patchbay-page": JSON.parse(answered.body).secret };
}

async function join(team: Team, handle: string, role = "member") {
  const { id, invitation } = await invite(team, handle, role);
  return { id, headers: browser(await logIn(team, { invitation, password })) };
}

const deviceCookie = ({ headers }: Answered): string =>
  headers["set-cookie"]?.find((cookie) => cookie.includes("_device="))?.split(";")[0] ?? "";

describe("invitations", () => {
  it("[X200] a link lets a person choose a password once, and makes them active", async () => {
    await using team = await openTeam();
    const { id, invitation } = await invite(team, "ada");
    expect(Buffer.from(invitation, "base64url")).toHaveLength(32);
    const asked = await post(team, "/api/login/invitation", { invitation });
    expect(JSON.parse(asked.body)).toEqual({ handle: "ada", name: "ada" });
    const headers = browser(await logIn(team, { invitation, password }));
    const people = JSON.parse((await ask(team, "/api/people", { headers })).body);
    expect(people.me).toMatchObject({ id, handle: "ada", state: "active" });
    expect((await logIn(team, { invitation, password: "another password" })).status).toBe(401);
    expect((await post(team, "/api/login/invitation", { invitation })).status).toBe(401);
    browser(await logIn(team, { handle: "ADA ", password }));
  });

  it("[X200] of two who use one link at the same time, one is let in", async () => {
    await using team = await openTeam();
    const { invitation } = await invite(team, "ada");
    const both = await Promise.all(
      ["the first password", "the second password"].map((each) =>
        logIn(team, { invitation, password: each }),
      ),
    );
    expect(both.map(({ status }) => status).sort((one, other) => one - other)).toEqual([201, 401]);
  });

  it("[X200] it expires after 7 days, a new one replaces it, and the database has no secret", async () => {
    await using team = await openTeam();
    const { id, invitation } = await invite(team, "ada");
    const { body } = await team.call(team.token, "POST", `/api/people/${id}/invitation`);
    const days = (Date.parse(body.invitation.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThanOrEqual(7);
    expect((await logIn(team, { invitation, password })).status).toBe(401);
    expect((await logIn(team, { invitation: secretIn(body.invitation.link), password })).status).toBe(201);
  });

  it("[X200] one that is for somebody who was disabled lets nobody in", async () => {
    await using team = await openTeam();
    const { id, invitation } = await invite(team, "ada");
    await team.call(team.token, "PATCH", `/api/people/${id}`, { disabled: true });
    expect((await logIn(team, { invitation, password })).status).toBe(401);
    const enabled = await team.call(team.token, "PATCH", `/api/people/${id}`, { disabled: false });
    expect(enabled.body.person.state).toBe("invited");
    expect((await logIn(team, { invitation, password })).status).toBe(401);
  });

  it("[X201] a short, common or personal password is refused, and the link stays good", async () => {
    await using team = await openTeam();
    const { invitation } = await invite(team, "adalovelace");
    for (const weak of ["short", "Password123", "aaaaaaaaaaaa", "adalovelace1815", "1234567890"]) {
      const { status, body } = await logIn(team, { invitation, password: weak });
      expect([weak, status, JSON.parse(body).error.code]).toEqual([weak, 400, "bad_request"]);
    }
    expect((await logIn(team, { invitation, password })).status).toBe(201);
  });

  it("[X202] a reset ends the logins, tokens, sockets and the password", async () => {
    await using team = await openTeam();
    const { id, headers } = await join(team, "ada");
    const token = await team.tokenOf(id);
    const own = await session(team, token);
    await using viewer = new TestViewer(team.url, token, own);
    await viewer.caughtUp();
    const { status, body } = await team.call(team.token, "POST", `/api/people/${id}/invitation`);
    expect(status).toBe(201);
    expect((await viewer.untilClosed()).code).toBe(4401);
    expect((await ask(team, "/api/people", { headers })).status).toBe(401);
    expect((await team.call(token, "GET", "/api/people")).status).toBe(401);
    expect((await logIn(team, { handle: "ada", password })).status).toBe(401);
    browser(await logIn(team, { invitation: secretIn(body.invitation.link), password: "a new passphrase" }));
    browser(await logIn(team, { handle: "ada", password: "a new passphrase" }));
    const byMember = await ask(team, `/api/people/${id}/invitation`, { method: "POST", headers });
    expect(byMember.status).toBe(401);
  });
});

describe("passwords", () => {
  it("[X203] the answer does not tell whether a name exists, is disabled or has a password", async () => {
    await using team = await openTeam();
    const [ada, eve] = [await join(team, "ada"), await join(team, "eve")];
    await invite(team, "bob");
    await team.call(team.token, "PATCH", `/api/people/${eve.id}`, { disabled: true });
    const answers = [];
    for (const given of [
      { handle: "ada", password: "wrong wrong wrong" },
      { handle: "nobody", password },
      { handle: "bob", password },
      { handle: "eve", password },
    ]) {
      const { status, body, headers } = await logIn(team, given);
      answers.push({ status, body, cookies: headers["set-cookie"] });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({
      status: 401,
      body: expect.stringContaining("Wrong name or password."),
    });
    expect((await ask(team, "/api/people", { headers: ada.headers })).status).toBe(200);
  });

  it("[X203] a name without a password takes as long as one with", async () => {
    const hash = await hashPassword(password);
    await isPassword(password, undefined);
    const median = async (of: string | undefined): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 15; round++) {
        const began = performance.now();
        await isPassword("wrong", of);
        times.push(performance.now() - began);
      }
      return times.sort((one, other) => one - other)[7] ?? 0;
    };
    const [known, unknown] = [await median(hash), await median(undefined)];
    expect(unknown).toBeGreaterThan(known / 3);
    expect(unknown).toBeLessThan(known * 3);
    expect(hash).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  it("[X204] guesses at a name are throttled wherever they come from, and do not lock its owner out", async () => {
    await using team = await openTeam();
    const { invitation } = await invite(team, "ada");
    const device = deviceCookie(await logIn(team, { invitation, password }));
    expect(device).not.toBe("");
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, at) => logIn(team, { handle: "ada", password: `guess number ${at}` })),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(10);
    // The right one is refused too, or a guesser would only have to go on.
    const right = await logIn(team, { handle: "ada", password });
    expect([right.status, Number(right.headers["retry-after"]) > 60]).toEqual([429, true]);
    browser(await logIn(team, { handle: "ada", password }, { cookie: device }));
    // A device of somebody else is not one of hers, and a name that does not exist behaves the same.
    const other = await invite(team, "bob");
    const bobs = deviceCookie(await logIn(team, { invitation: other.invitation, password }));
    expect((await logIn(team, { handle: "ada", password }, { cookie: bobs })).status).toBe(429);
    for (let at = 0; at < 20; at++) await logIn(team, { handle: "nobody", password });
    expect((await logIn(team, { handle: "nobody", password })).status).toBe(429);
  });

  it("[X204] a known device has ten guesses a minute", async () => {
    await using team = await openTeam();
    const { invitation } = await invite(team, "ada");
    const cookie = deviceCookie(await logIn(team, { invitation, password }));
    const statuses = [];
    for (let at = 0; at < 11; at++)
      statuses.push((await logIn(team, { handle: "ada", password: "wrong wrong" }, { cookie })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  it("[X205] a login is the person's, has new secrets, and ends the one that the browser had", async () => {
    await using team = await openTeam();
    const ada = await join(team, "ada");
    const planted = browser(await logIn(team, { token: team.token }));
    const own = browser(await logIn(team, { handle: "ada", password }, planted));
    expect(own["cookie"]).not.toBe(planted["cookie"]);
    expect(own["x-patchbay-page"]).not.toBe(planted["x-patchbay-page"]);
    expect((await ask(team, "/api/login", { headers: planted })).status).toBe(401);
    const { me } = JSON.parse((await ask(team, "/api/people", { headers: own })).body);
    expect(me.id).toBe(ada.id);
    // A login link of somebody else does not switch her browser to their account unseen, and stays good.
    const code = team.app.newLoginUrl().split("#code=")[1];
    const refused = await logIn(team, { code }, own);
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining("another account")]);
    expect((await ask(team, "/api/login", { headers: own })).status).toBe(200);
    const asHolder = browser(await logIn(team, { code }));
    expect(JSON.parse((await ask(team, "/api/people", { headers: asHolder })).body).me.role).toBe("admin");
  });

  it("[X206] changing one's own needs the old one, ends the other logins, and keeps this one", async () => {
    await using team = await openTeam();
    const { headers } = await join(team, "ada");
    const elsewhere = browser(await logIn(team, { handle: "ada", password }));
    const change = (body: object) => ask(team, "/api/account/password", { method: "PUT", headers, body });
    const wrong = await change({ old: "not the old one", password: "the next passphrase" });
    expect([wrong.status, JSON.parse(wrong.body).error.message]).toEqual([403, "This is not your password."]);
    expect((await change({ password: "the next passphrase" })).status).toBe(403);
    expect((await change({ old: password, password: "tooshort" })).status).toBe(400);
    expect((await change({ old: password, password: "the next passphrase" })).status).toBe(204);
    expect((await ask(team, "/api/login", { headers })).status).toBe(200);
    expect((await ask(team, "/api/login", { headers: elsewhere })).status).toBe(401);
    expect((await logIn(team, { handle: "ada", password })).status).toBe(401);
    expect((await logIn(team, { handle: "ada", password: "the next passphrase" })).status).toBe(201);
    expect(
      (
        await ask(team, "/api/account/password", {
          method: "PUT",
          headers: { authorization: `Bearer ${team.token}` },
          body: { password },
        })
      ).status,
    ).toBe(204); // the holder's first one
    const holder = await team.call(team.token, "GET", "/api/account");
    expect(holder.body.account).toEqual({ has_password: true, has_totp: false });
  });

  it("[X207] whether names and passwords are asked for is known without a login, and nothing else", async () => {
    await using team = await openTeam();
    const methods = () => ask(team, "/api/login/methods");
    expect(JSON.parse((await methods()).body)).toEqual({ password: false });
    await invite(team, "ada");
    const answered = await methods();
    expect(JSON.parse(answered.body)).toEqual({ password: true });
    expect(answered.headers["cache-control"]).toBe("private, max-age=30");
    const foreign = await logIn(team, { handle: "ada", password }, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
  });

  it("[X208] a code that pairs a device logs in its person, once", async () => {
    await using team = await openTeam();
    const { id, headers } = await join(team, "ada");
    const { status, body } = await post(team, "/api/login/pairing", {}, headers);
    expect(status).toBe(201);
    const { link, expires_at } = JSON.parse(body);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(120_000);
    const code = /#code=([\w-]+)$/.exec(link)?.[1];
    const phone = browser(await logIn(team, { code }));
    expect(JSON.parse((await ask(team, "/api/people", { headers: phone })).body).me.id).toBe(id);
    expect((await logIn(team, { code })).status).toBe(401);
    const token = await team.tokenOf(id);
    expect((await team.call(token, "POST", "/api/login/pairing", {})).status).toBe(403);
    const second = JSON.parse((await post(team, "/api/login/pairing", {}, headers)).body).link;
    await team.call(team.token, "PATCH", `/api/people/${id}`, { disabled: true });
    expect((await logIn(team, { code: second.split("#code=")[1] })).status).toBe(401);
    expect((await share(team, token, "x", { team: null, grants: [] })).status).toBe(401);
  });
});

it("[X211] the audit has each login and each refused one, and nothing that was typed", async () => {
  await using team = await openTeam();
  const { id, invitation } = await invite(team, "ada");
  await logIn(team, { invitation, password });
  await logIn(team, { handle: "ada", password: "wrong wrong wrong" });
  const { body } = await team.call(team.token, "GET", "/api/audit?action=login.create");
  expect(body.entries).toMatchObject([
    { result: "not_logged_in", address: "127.0.0.1", detail: { how: "password" } },
    { result: "ok", detail: { how: "invitation", person: id } },
  ]);
  const all = JSON.stringify((await team.call(team.token, "GET", "/api/audit")).body);
  for (const secret of [invitation, password, "wrong wrong wrong"]) expect(all).not.toContain(secret);
});

describe("authenticator apps", () => {
  it("[X210] codes are those of RFC 6238", () => {
    const key = Buffer.from("12345678901234567890");
    expect(base32(key)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    for (const [seconds, code] of [
      [59, "287082"],
      [1_111_111_109, "081804"],
      [1_234_567_890, "005924"],
      [20_000_000_000, "353130"],
    ] as const)
      expect(codeAt(key, Math.floor(seconds / 30))).toBe(code);
    const now = 59_000;
    expect(stepOf({ key, usedStep: 0 }, "287 082", now)).toBe(1);
    expect(stepOf({ key, usedStep: 1 }, "287082", now)).toBeUndefined();
    expect(stepOf({ key, usedStep: 0 }, "287082", now + 90_000)).toBeUndefined();
  });

  it("[X210] a password needs a code, each works once, and recovery codes stand in for the phone", async () => {
    await using team = await openTeam();
    const { id, headers } = await join(team, "ada");
    const begun = JSON.parse((await post(team, "/api/account/totp", {}, headers)).body);
    expect(begun.uri).toContain(`otpauth://totp/Patchbay:ada?secret=${begun.secret}`);
    const key = fromBase32(begun.secret);
    const step = Math.floor(Date.now() / 30_000);
    const confirm = (code: string) =>
      ask(team, "/api/account/totp", { method: "PUT", headers, body: { code } });
    expect((await confirm("000000")).status).toBe(403);
    expect((await logIn(team, { handle: "ada", password })).status).toBe(201); // it does not count yet
    const { recovery_codes } = JSON.parse((await confirm(codeAt(key, step - 1))).body);
    expect(recovery_codes).toHaveLength(10);
    const refused = await logIn(team, { handle: "ada", password });
    expect([refused.status, JSON.parse(refused.body).error.code]).toEqual([401, "code_needed"]);
    // A wrong password does not tell that there is one.
    const wrong = await logIn(team, {
      handle: "ada",
      password: "wrong wrong wrong",
      code: codeAt(key, step),
    });
    expect(JSON.parse(wrong.body).error.message).toBe("Wrong name or password.");
    const both = await Promise.all(
      [1, 2].map(() => logIn(team, { handle: "ada", password, code: codeAt(key, step) })),
    );
    expect(both.map(({ status }) => status).sort((one, other) => one - other)).toEqual([201, 401]);
    const [recovery] = recovery_codes;
    browser(await logIn(team, { handle: "ada", password, code: recovery.toUpperCase() }));
    expect((await logIn(team, { handle: "ada", password, code: recovery })).status).toBe(401);
    const removal = (code: string) => post(team, "/api/account/totp/removal", { code }, headers);
    expect((await removal("123456")).status).toBe(403);
    expect((await removal(recovery_codes[1])).status).toBe(204);
    browser(await logIn(team, { handle: "ada", password }));
    // A reset removes one too.
    const again = JSON.parse((await post(team, "/api/account/totp", {}, headers)).body);
    expect((await confirm(codeAt(fromBase32(again.secret), step))).status).toBe(200);
    const { body } = await team.call(team.token, "POST", `/api/people/${id}/invitation`);
    browser(await logIn(team, { invitation: secretIn(body.invitation.link), password }));
    browser(await logIn(team, { handle: "ada", password }));
  });

  it("[X210] guesses of codes are throttled", async () => {
    await using team = await openTeam();
    const { headers } = await join(team, "ada");
    const { secret } = JSON.parse((await post(team, "/api/account/totp", {}, headers)).body);
    const code = codeAt(fromBase32(secret), Math.floor(Date.now() / 30_000));
    await ask(team, "/api/account/totp", { method: "PUT", headers, body: { code } });
    const statuses = [];
    for (let at = 0; at < 21; at++)
      statuses.push(
        (await logIn(team, { handle: "ada", password, code: String(at).padStart(6, "x") })).status,
      );
    expect(statuses.at(-1)).toBe(429);
    expect(new Set(statuses.slice(0, 20))).toEqual(new Set([401]));
  });
});

const fromBase32 = (text: string): Buffer => {
  const bits = Array.from(text).map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  return Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

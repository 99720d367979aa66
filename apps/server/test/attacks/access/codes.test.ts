// Login links: what is on a terminal, in a history or in the arguments of a program is worth nothing afterwards.
import { describe, expect, it } from "vitest";
import { startActor } from "../../support/actor.ts";
import { minute, startWithClock } from "./clock.ts";
import { ask, codeIn, logIn } from "./http-client.ts";

const spend = (server: { url: string }, code: string) =>
  ask(server, "/api/login", { method: "POST", body: { code } });

describe("a login link", () => {
  it("[X16] is not spent by opening it, and logs in once", async () => {
    await using server = await startActor();
    const { origin, pathname, hash } = new URL(server.printedLoginUrl);
    expect([origin, pathname]).toEqual([server.url, "/"]);
    // Previews, prefetches and scanners open links; a browser sends nothing after the # at all.
    for (const path of ["/", `/?${hash.slice(1)}`, `/${hash}`])
      for (const method of ["GET", "HEAD"]) await ask(server, path, { method });
    const code = codeIn(server.printedLoginUrl);
    expect((await spend(server, code)).status).toBe(201);
    const again = await spend(server, code);
    expect(again.status).toBe(401);
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect(JSON.parse(again.body)).toMatchObject({
      error: { message: expect.stringContaining("was already used or has expired") },
    });
  });

  it("[X16] logs in one of many who try it at the same time", async () => {
    await using server = await startActor({ limits: { failed_logins_per_minute: 1_000 } });
    const code = codeIn(await server.loginUrl());
    const answers = await Promise.all(Array.from({ length: 50 }, () => spend(server, code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it("[X16] is good for one minute", async () => {
    const { server, pass } = await startWithClock();
    await using _server = server;
    const [first, second] = [await server.loginUrl(), await server.loginUrl()];
    await pass(minute - 10_000);
    expect((await spend(server, codeIn(first))).status).toBe(201);
    await pass(11_000);
    expect((await spend(server, codeIn(second))).status).toBe(401);
  });

  it("[X16] is made with the token only, and a restart forgets it", async () => {
    await using server = await startActor();
    const { headers } = await logIn(server);
    expect((await ask(server, "/api/login/codes", { method: "POST", headers })).status).toBe(403);
    const code = codeIn(await server.loginUrl());
    await server.kill();
    await server.start();
    expect((await spend(server, code)).status).toBe(401);
  });

  it("[X16] of a browser that is logged in renews its login instead of adding a device", async () => {
    await using server = await startActor();
    const { id, headers, secret } = await logIn(server);
    const body = { code: codeIn(await server.loginUrl()) };
    const answer = await ask(server, "/api/login", { method: "POST", body, headers });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ login: { id }, secret });
    const { body: list } = await server.call("GET", "/api/logins");
    expect(list).toMatchObject({ logins: [{ id }] });
  });
});

describe("guessing", () => {
  const wrong = [{ token: "wrong" }, { code: "wrong" }];

  it("[X17] wrong tokens and codes make their address wait, and no other one", async () => {
    await using server = await startActor({ trust_proxy: true });
    const from = (address: string) => ({ "x-forwarded-for": address });
    const guess = (body: object, address: string) =>
      ask(server, "/api/login", { method: "POST", body, headers: from(address) });
    const bearer = (token: string, address: string) =>
      ask(server, "/api/sessions", { headers: { ...from(address), authorization: `Bearer ${token}` } });
    for (let round = 0; round < 5; round++) {
      expect((await guess(wrong[round % 2] ?? {}, "203.0.113.9")).status).toBe(401);
      expect((await bearer(`wrong-${round}`, "203.0.113.9")).status).toBe(401);
    }
    const refused = await guess({ token: "wrong" }, "203.0.113.9");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(30);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: "too_many" } });
    // Now a right one would be too late there, as a bearer and as a login, and what the attacker says of itself does not help.
    expect((await bearer(server.token, "203.0.113.9")).status).toBe(429);
    expect((await bearer(server.token, "198.51.100.1, 203.0.113.9")).status).toBe(429);
    expect((await guess({ token: server.token }, "203.0.113.9")).status).toBe(429);
    // Nor can it hide behind something that is no address: then it is where its connection comes from.
    expect((await bearer("wrong", `x${"y".repeat(1_000)}`)).status).toBe(401);
    expect((await bearer(server.token, "203.0.113.10")).status).toBe(200);
    expect((await guess({ token: server.token }, "203.0.113.10")).status).toBe(201);
    expect((await server.call("GET", "/api/sessions")).status).toBe(200);
    expect(server.stderr()).toContain('"address":"203.0.113.9"');
    expect(server.stderr()).not.toContain("wrong");
  });

  it("[X17] who has an IPv6 network has one address, and browsers that are logged in go on", async () => {
    await using server = await startActor({ trust_proxy: true });
    const { headers } = await logIn(server);
    const guess = (address: string) =>
      ask(server, "/api/login", {
        method: "POST",
        body: { token: "wrong" },
        headers: { "x-forwarded-for": address },
      });
    for (let host = 1; host <= 10; host++) await guess(`2001:db8:1:2::${host}`);
    expect((await guess("2001:db8:1:2:ffff::1")).status).toBe(429);
    expect((await guess("2001:db8:1:3::1")).status).toBe(401);
    const logged = { ...headers, "x-forwarded-for": "2001:db8:1:2::7" };
    expect((await ask(server, "/api/sessions", { headers: logged })).status).toBe(200);
  });

  it("[X17] a program of this machine with an old token locks the others out of nothing", async () => {
    const { server, pass } = await startWithClock();
    await using _server = server;
    const old = { authorization: "Bearer an-old-token-that-is-not-good-any-more" };
    const statuses: number[] = [];
    for (let call = 0; call < 15; call++)
      statuses.push((await ask(server, "/api/sessions", { headers: old })).status);
    expect(new Set(statuses.slice(0, 10))).toEqual(new Set([401]));
    expect(new Set(statuses.slice(10))).toEqual(new Set([429]));
    expect((await server.call("GET", "/api/sessions")).status).toBe(200);
    expect((await ask(server, "/api/login", { method: "POST", body: { token: server.token } })).status).toBe(
      201,
    );
    await pass(minute);
    expect((await ask(server, "/api/sessions", { headers: old })).status).toBe(401);
  });
});

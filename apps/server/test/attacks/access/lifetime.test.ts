// How long a login lasts: its cookie changes, it ends by itself, and it can be ended.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { createSession, startActor } from "../../support/actor.ts";
import { day, hour, minute, startWithClock } from "./clock.ts";
import { ask, cookieIn, type LoggedIn, logIn, refusedUpgrade } from "./http-client.ts";

const watch = (server: { url: string }, session: string, { cookie, secret }: LoggedIn): TestViewer =>
  new TestViewer(server.url, "", session, {
    headers: { cookie },
    protocols: ["patchbay", `patchbay.${secret}`],
  });

describe("rotation", () => {
  it("[X19] a cookie gets another value every day; the old one is accepted for parallel calls and refused afterwards", async () => {
    const { server, pass } = await startWithClock();
    await using _server = server;
    const session = await createSession(server);
    const { headers: old, cookie: oldCookie, secret } = await logIn(server);
    const call = (headers: Record<string, string>) => ask(server, "/api/sessions", { headers });
    await pass(23 * hour);
    expect((await call(old)).headers["set-cookie"]).toBeUndefined();
    await pass(2 * hour);
    const together = await Promise.all(Array.from({ length: 20 }, () => call(old)));
    expect(new Set(together.map(({ status }) => status))).toEqual(new Set([200]));
    const rotated = together.filter(({ headers }) => headers["set-cookie"] !== undefined);
    expect(rotated).toHaveLength(1);
    const cookie = cookieIn(rotated[0]!);
    const fresh = { ...old, cookie };
    expect((await call(fresh)).status).toBe(200);
    expect((await call(old)).status).toBe(200); // one that was on its way
    await pass(3 * minute);
    const stolen = await call(old);
    expect(stolen.status).toBe(401);
    expect(JSON.parse(stolen.body)).toMatchObject({ error: { code: "login_ended" } });
    const protocols = { "sec-websocket-protocol": `patchbay, patchbay.${secret}` };
    expect(
      await refusedUpgrade(server, `/api/sessions/${session}/socket`, { cookie: oldCookie, ...protocols }),
    ).toBe(401);
    expect((await call(fresh)).status).toBe(200);
    await server.kill();
    await server.start();
    expect((await call(old)).status).toBe(401);
    expect((await call(fresh)).status).toBe(200);
  });

  it("[X19] a response with the new value that is lost does not log the browser out", async () => {
    const { server, pass } = await startWithClock();
    await using _server = server;
    const { headers: old } = await logIn(server);
    const call = (headers: Record<string, string>) => ask(server, "/api/sessions", { headers });
    expect((await call(old)).status).toBe(200);
    await pass(25 * hour);
    const lost = cookieIn(await call(old));
    expect(lost).not.toBe("");
    await pass(hour);
    const again = await call(old);
    expect(again.status).toBe(200);
    const cookie = cookieIn(again);
    expect(cookie).not.toBe(lost);
    expect((await call({ ...old, cookie })).status).toBe(200);
    expect((await call({ ...old, cookie: lost })).status).toBe(401);
    await pass(3 * minute);
    expect((await call(old)).status).toBe(401);
  });
});

describe("the end of a login", () => {
  it("[X20] comes after 30 days without use", async () => {
    const { server, pass } = await startWithClock();
    await using _server = server;
    const used = await logIn(server);
    const idle = await logIn(server);
    let headers = used.headers;
    for (let days = 0; days < 31; days += 10) {
      await pass(10 * day);
      const answer = await ask(server, "/api/logins", { headers });
      expect(answer.status).toBe(200);
      const rotated = cookieIn(answer);
      headers = { ...headers, ...(rotated === "" ? {} : { cookie: rotated }) };
    }
    const ended = await ask(server, "/api/sessions", { headers: idle.headers });
    expect(ended.status).toBe(401);
    expect(JSON.parse(ended.body)).toMatchObject({ error: { code: "login_ended" } });
    expect(JSON.parse((await ask(server, "/api/logins", { headers })).body)).toMatchObject({
      logins: [{ id: used.id, current: true }],
    });
  });

  it("[X20] comes after 90 days, however often it is used, and a restart changes nothing", async () => {
    const { server, pass } = await startWithClock();
    await using _server = server;
    let { headers } = await logIn(server);
    const use = async (): Promise<number> => {
      const answer = await ask(server, "/api/sessions", { headers });
      const cookie = cookieIn(answer);
      if (cookie !== "") headers = { ...headers, cookie };
      return answer.status;
    };
    for (let days = 0; days < 80; days += 20) {
      await pass(20 * day);
      expect(await use()).toBe(200);
    }
    await pass(9 * day);
    expect(await use()).toBe(200);
    await server.kill();
    await server.start();
    expect(await use()).toBe(200);
    await pass(2 * day);
    expect(await use()).toBe(401);
  });

  it("[X20] closes its open sockets with 4401 on time", async () => {
    await using server = await startActor({ limits: { login_idle_ms: 2_000 } });
    const session = await createSession(server);
    await using viewer = watch(server, session, await logIn(server));
    await viewer.caughtUp();
    const { code, reason } = await viewer.untilClosed();
    expect(code).toBe(4401);
    expect(reason).toContain("Log in again");
  });

  it("[X21] revoked, it is refused everywhere and its sockets close with 4401 within a second", async () => {
    await using server = await startActor();
    const session = await createSession(server);
    const [revoked, other] = [await logIn(server), await logIn(server)];
    await using viewer = watch(server, session, revoked);
    await using stays = watch(server, session, other);
    await Promise.all([viewer.caughtUp(), stays.caughtUp()]);
    const before = performance.now();
    const path = `/api/logins/${revoked.id}`;
    expect((await ask(server, path, { method: "DELETE", headers: other.headers })).status).toBe(204);
    expect((await viewer.untilClosed()).code).toBe(4401);
    expect(performance.now() - before).toBeLessThan(1_000);
    expect((await ask(server, "/api/sessions", { headers: revoked.headers })).status).toBe(401);
    expect((await ask(server, path, { method: "DELETE", headers: other.headers })).status).toBe(404);
    expect((await ask(server, "/api/sessions", { headers: other.headers })).status).toBe(200);
    expect((await stays.ask({ type: "get_state" })).success).toBe(true);
    await server.kill();
    await server.start();
    expect((await ask(server, "/api/sessions", { headers: revoked.headers })).status).toBe(401);
    expect((await ask(server, "/api/sessions", { headers: other.headers })).status).toBe(200);
  });

  it("[X21] what a peer sends on while its socket is closed is not carried out", async () => {
    await using server = await startActor();
    const session = await createSession(server);
    const login = await logIn(server);
    await using viewer = watch(server, session, login);
    await viewer.caughtUp();
    viewer.pause(); // so that it does not notice, and sends on
    await server.call("DELETE", `/api/logins/${login.id}`);
    for (let call = 0; call < 50; call++)
      viewer.send({ id: `late-${call}`, type: "prompt", message: "say late" });
    viewer.resume();
    expect((await viewer.untilClosed()).code).toBe(4401);
    const { body } = await server.call("GET", `/api/sessions/${session}/messages`);
    expect(body).toMatchObject({ messages: [] });
  });

  it("[X21] logging out ends the own login, and all of them if that is wanted", async () => {
    await using server = await startActor();
    const [first, second, third] = [await logIn(server), await logIn(server), await logIn(server)];
    const out = await ask(server, "/api/logout", { method: "POST", headers: first.headers });
    expect(out.status).toBe(204);
    expect(out.headers["set-cookie"]?.[0]).toMatch(/=; Max-Age=0/);
    const status = async ({ headers }: LoggedIn) => (await ask(server, "/api/login", { headers })).status;
    expect(await Promise.all([first, second, third].map(status))).toEqual([401, 200, 200]);
    const { headers } = second;
    const others = await ask(server, "/api/logins?others=true", { method: "DELETE", headers });
    expect(JSON.parse(others.body)).toEqual({ revoked: 1 });
    expect(await Promise.all([second, third].map(status))).toEqual([200, 401]);
    expect((await server.call("DELETE", "/api/logins")).body).toEqual({ revoked: 1 });
    expect(await status(second)).toBe(401);
    expect((await server.call("POST", "/api/logout")).status).toBe(400);
  });

  it("[X22] the list of devices tells them apart and marks the own one", async () => {
    await using server = await startActor();
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const safari =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
    const desk = await logIn(server, undefined, { "user-agent": firefox });
    const phone = await logIn(server, undefined, { "user-agent": safari });
    const { body } = await ask(server, "/api/logins", { headers: desk.headers });
    expect(JSON.parse(body).logins).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: desk.id,
          label: "Firefox on Linux",
          address: "127.0.0.1",
          current: true,
        }),
        expect.objectContaining({ id: phone.id, label: "Safari on iPhone", current: false }),
      ]),
    );
    expect(body).not.toContain(desk.secret);
    expect(body).not.toContain(desk.cookie.split("=")[1]);
    const own = JSON.parse((await ask(server, "/api/login", { headers: phone.headers })).body);
    expect(own).toMatchObject({ login: { id: phone.id, current: true } });
    expect((await server.call("GET", "/api/login")).body).toEqual({ login: null });
  });

  it("[X18] the database holds no secret, only hashes of them", async () => {
    await using server = await startActor();
    const { cookie, secret } = await logIn(server);
    await server.kill();
    const home = join(server.home, ".patchbay");
    const files = ["patchbay.db", "patchbay.db-wal"].map((name) => join(home, name));
    const found = (text: string) =>
      execFileSync("bash", ["-c", 'cat "$@" | grep -c -a -F -- "$NEEDLE" || true', "-", ...files], {
        env: { ...process.env, NEEDLE: text },
        encoding: "utf8",
      }).trim();
    expect(found("Unknown browser")).not.toBe("0"); // the row is there
    for (const text of [secret, cookie.split("=")[1] ?? "", cookie.split(".")[1] ?? "", server.token])
      expect(found(text)).toBe("0");
    await server.start();
  });
});

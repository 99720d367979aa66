// A cookie in the wrong hands: browsers send it to every port of the host, so another local program can receive it.

import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createSession, startActor } from "../../support/actor.ts";
import { ask, logIn, refusedUpgrade } from "./http-client.ts";

describe("a stolen cookie", () => {
  it("[X15] logs in nowhere without the page's secret, and says that a login is needed", async () => {
    await using server = await startActor();
    const session = await createSession(server);
    const { cookie, secret, headers } = await logIn(server);
    const other = await logIn(server);
    const attempts: Record<string, string>[] = [
      { cookie },
      { cookie, "x-patchbay-page": "" },
      { cookie, "x-patchbay-page": other.secret },
      { cookie, "x-patchbay-page": `${secret}x` },
      { cookie: `${cookie}x`, "x-patchbay-page": secret },
      { cookie: cookie.replace(/=.*\./, `=${other.id}.`), "x-patchbay-page": secret },
      { cookie: cookie.replace(/\..*/, "."), "x-patchbay-page": secret },
      { cookie: cookie.replace(/=.*/, "=."), "x-patchbay-page": secret },
    ];
    for (const given of attempts) {
      for (const path of ["/api/sessions", "/api/logins", `/api/sessions/${session}/export`, "/metrics"]) {
        const { status, body } = await ask(server, path, { headers: given });
        expect([path, given, status]).toEqual([path, given, 401]);
        expect(JSON.parse(body)).toMatchObject({ error: { code: "login_ended" } });
      }
    }
    // Nor where addresses or bodies carry the secret, which belongs in the header alone.
    for (const name of ["secret", "x-patchbay-page", "page"])
      expect((await ask(server, `/api/sessions?${name}=${secret}`, { headers: { cookie } })).status).toBe(
        401,
      );
    // Without a cookie there is no login that could have ended.
    const lone = await ask(server, "/api/sessions", { headers: { "x-patchbay-page": secret } });
    expect(JSON.parse(lone.body)).toMatchObject({ error: { code: "not_logged_in" } });
    expect((await ask(server, "/api/sessions", { headers })).status).toBe(200);
  });

  it("[X15] opens no WebSocket without the secret, which the server does not echo", async () => {
    await using server = await startActor();
    const session = await createSession(server);
    const { cookie, secret, headers } = await logIn(server);
    for (const path of [`/api/sessions/${session}/socket`, "/api/sessions/events"]) {
      for (const given of [
        { cookie },
        headers, // a header is for calls
        { cookie, "sec-websocket-protocol": "patchbay" },
        { cookie, "sec-websocket-protocol": "patchbay, patchbay.wrong" },
        { "sec-websocket-protocol": `patchbay, patchbay.${secret}` },
      ])
        expect([path, given, await refusedUpgrade(server, path, given)]).toEqual([path, given, 401]);
      expect(await refusedUpgrade(server, `${path}?secret=${secret}`, { cookie })).toBe(401);
      const address = server.url.replace("http", "ws") + path;
      const socket = new WebSocket(address, ["patchbay", `patchbay.${secret}`], { headers: { cookie } });
      const upgraded = new Promise<{ headers: object }>((resolve) => socket.once("upgrade", resolve));
      await new Promise((resolve, reject) => socket.once("message", resolve).once("error", reject));
      expect(socket.protocol).toBe("patchbay");
      expect(JSON.stringify((await upgraded).headers)).not.toContain(secret);
      socket.terminate();
    }
  });

  it("[X15] does not end the login of the browser that it was stolen from", async () => {
    await using server = await startActor();
    const { cookie, headers } = await logIn(server);
    for (let attempt = 0; attempt < 30; attempt++) {
      const answer = await ask(server, "/api/logout", { method: "POST", headers: { cookie } });
      expect(answer.status).toBe(401);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    expect((await ask(server, "/api/sessions", { headers })).status).toBe(200);
  });

  it("[X15] a login that is used at two ports has a cookie for each", async () => {
    await using server = await startActor();
    const direct = await logIn(server);
    const tunnelled = await logIn(server, undefined, { host: "localhost:8080" });
    expect(direct.cookie.split("=")[0]).toMatch(/^patchbay_\d+$/);
    expect(tunnelled.cookie.split("=")[0]).toMatch(/^patchbay_8080_\d+$/);
    const cookie = `${direct.cookie}; ${tunnelled.cookie}`;
    const both = [
      { cookie, "x-patchbay-page": direct.secret },
      { cookie, "x-patchbay-page": tunnelled.secret, host: "localhost:8080" },
    ];
    for (const headers of both) expect((await ask(server, "/api/sessions", { headers })).status).toBe(200);
  });
});

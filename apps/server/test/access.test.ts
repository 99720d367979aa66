// Nobody without the token, and no page of another site, reaches a worker.
import { request } from "node:http";
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { attach, createSession, startActor } from "./actor.ts";

/** fetch() forbids setting Host and Origin; an attacker's browser does not ask. */
function raw(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
      );
    })
      .on("error", reject)
      .end();
  });
}

describe("access", () => {
  it("[X1] without the token every call but healthz, login and the page is 401", async () => {
    await using server = await startActor();
    for (const path of [
      "/api/sessions",
      "/api/workers",
      "/metrics",
      "/api/usage",
      "/api/usage.csv",
      "/api/sessions/x/messages",
    ]) {
      const response = await fetch(new URL(path, server.url));
      expect([path, response.status]).toEqual([path, 401]);
      expect(await response.json()).toMatchObject({ error: { code: "not_logged_in" } });
    }
    expect((await fetch(new URL("/healthz", server.url))).status).toBe(200);
    const page = await fetch(server.url);
    expect(page.status).toBe(200);
    const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1] ?? "none";
    expect((await fetch(new URL(script, server.url))).status).toBe(200);
  });

  it("[X2] a wrong token is 401, as bearer and as login link", async () => {
    await using server = await startActor();
    const response = await fetch(new URL("/api/sessions", server.url), {
      headers: { authorization: "Bearer wrong" },
    });
    expect(response.status).toBe(401);
    const login = await fetch(new URL("/?token=wrong", server.url), { redirect: "manual" });
    expect(login.status).toBe(401);
    expect(login.headers.get("set-cookie")).toBeNull();
  });

  it("[X3] the login link sets an HttpOnly, SameSite=Strict cookie and leaves no token in the address", async () => {
    await using server = await startActor();
    const login = await fetch(server.loginUrl, { redirect: "manual" });
    expect(login.status).toBe(303);
    expect(login.headers.get("location")).toBe("/");
    const cookie = login.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    expect(cookie).not.toContain(server.token);
    const session = await fetch(new URL("/api/sessions", server.url), {
      headers: { cookie: cookie.split(";")[0] ?? "" },
    });
    expect(session.status).toBe(200);
  });

  it("[X4] a Host that is not ours is 403 (DNS rebinding)", async () => {
    await using server = await startActor();
    const authorization = `Bearer ${server.token}`;
    for (const host of [
      "evil.example",
      "evil.example:7171",
      "127.0.0.1.evil.example",

      "localhost@evil.example",
    ]) {
      const { status, body } = await raw(`${server.url}/api/sessions`, { host, authorization });
      expect([host, status]).toEqual([host, 403]);
      expect(body).toContain("forbidden");
    }
    const { port } = new URL(server.url);
    expect(
      (await raw(`${server.url}/api/sessions`, { host: `localhost:${port}`, authorization })).status,
    ).toBe(200);
  });

  it("[X5] an Origin that is not ours is 403, with the token too", async () => {
    await using server = await startActor();
    const authorization = `Bearer ${server.token}`;
    const { port } = new URL(server.url);
    for (const origin of [
      "https://evil.example",
      "null",
      "http://127.0.0.1:1",
      "http://localhost",
      `https://evil.example:${port}`,
    ]) {
      const { status } = await raw(`${server.url}/api/sessions`, { origin, authorization });
      expect([origin, status]).toEqual([origin, 403]);
    }
    expect((await raw(`${server.url}/api/sessions`, { origin: server.url, authorization })).status).toBe(200);
  });

  it("[X6] a WebSocket upgrade without the token, or from another site, reaches no session", async () => {
    await using server = await startActor();
    const session = await createSession(server);
    const anonymous = new TestViewer(server.url, "wrong", session);
    expect([4401, 1006]).toContain((await anonymous.untilClosed()).code);
    expect(anonymous.lines).toEqual([]);
    const foreign = new TestViewer(server.url, server.token, session, {
      headers: { origin: "https://evil.example" },
    });
    expect([4403, 1006]).toContain((await foreign.untilClosed()).code);
    expect(foreign.lines).toEqual([]);
    await using own = await attach(server, session, { headers: { origin: server.url } });
    expect(own.lines[0]?.type).toBe("attached");
  });

  it("[X7] a name from allowed_hosts is ours", async () => {
    await using server = await startActor({ allowed_hosts: ["patchbay.example"] });
    const headers = {
      host: "patchbay.example",
      origin: "https://patchbay.example",
      authorization: `Bearer ${server.token}`,
    };
    expect((await raw(`${server.url}/api/sessions`, headers)).status).toBe(200);
  });

  it("[X8] the token appears in no log line", async () => {
    await using server = await startActor();
    await fetch(server.loginUrl, { redirect: "manual" });
    await fetch(new URL(`/nowhere?token=${server.token}`, server.url), { redirect: "manual" });
    await fetch(new URL(`/api/sessions?token=${server.token}`, server.url));
    await createSession(server);
    expect(server.stderr()).not.toContain(server.token);
  });

  it("[X9] pages may not frame us, and scripts come from us alone", async () => {
    await using server = await startActor();
    const policy = (await fetch(server.url)).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-eval");
  });

  it("[X10] an address that is none is 400, not a failure of ours", async () => {
    await using server = await startActor();
    const { hostname, port } = new URL(server.url);
    const status = await new Promise<number>((resolve, reject) => {
      request({ hostname, port, path: "//" }, (response) => resolve(response.resume().statusCode ?? 0))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(400);
    expect(server.stderr()).not.toContain('"level":50');
  });

  it("[X11] below a base_path everything works, whether the proxy takes the path off or not", async () => {
    await using server = await startActor({ base_path: "/team/patchbay" });
    expect(new URL(server.loginUrl).pathname).toBe("/team/patchbay/");
    const login = await fetch(server.loginUrl, { redirect: "manual" });
    expect(login.headers.get("location")).toBe("/team/patchbay/");
    expect(login.headers.get("set-cookie")).toContain("Path=/team/patchbay;");
    const headers = { authorization: `Bearer ${server.token}` };
    for (const base of ["", "/team/patchbay"]) {
      expect((await fetch(`${server.url}${base}/api/sessions`, { headers })).status).toBe(200);
      expect(await (await fetch(`${server.url}${base}/sessions/x`)).text()).toContain(
        '<base href="/team/patchbay/">',
      );
    }
    expect((await fetch(`${server.url}/team/patchbay?x=1`)).status).toBe(200);
    expect(
      (await fetch(`${server.url}/team/patchbayer/api/sessions`, { headers })).headers.get("content-type"),
    ).toContain("html");
  });

  it("[X12] what a proxy says about the name it was asked for is believed with trust_proxy, and only then", async () => {
    const asked = { "x-forwarded-host": "agents.example", "x-forwarded-proto": "https" };
    await using trusting = await startActor({
      trust_proxy: true,
      allowed_hosts: ["agents.example"],
    });
    const login = await raw(trusting.loginUrl, { ...asked, host: "127.0.0.1" });
    expect(String(login.headers["set-cookie"])).toContain("Secure");
    expect((await raw(trusting.url, { ...asked, "x-forwarded-host": "evil.example" })).status).toBe(403);
    await using doubting = await startActor();
    expect((await raw(doubting.url, { ...asked, "x-forwarded-host": "evil.example" })).status).toBe(200);
    expect((await raw(doubting.url, { host: "evil.example", "x-forwarded-host": "localhost" })).status).toBe(
      403,
    );
  });
});

// Nobody without a login, and no page of another site, reaches a worker. What an attacker tries is in attacks/access.
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { ask, codeIn, logIn } from "../attacks/access/http-client.ts";
import { attach, createSession, startActor, useSharedActor } from "../support/actor.ts";

const raw = (url: string, headers: Record<string, string>): ReturnType<typeof ask> =>
  ask({ url }, new URL(url).pathname, { headers });

describe("access", () => {
  it("[X1] healthz, the page and its files need no token", async () => {
    await using server = await useSharedActor();
    expect((await fetch(new URL("/healthz", server.url))).status).toBe(200);
    const page = await fetch(server.url);
    expect(page.status).toBe(200);
    const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1] ?? "none";
    expect((await fetch(new URL(script, server.url))).status).toBe(200);
  });

  it("[X2] a wrong token is 401, as bearer and as login", async () => {
    await using server = await startActor();
    const response = await fetch(new URL("/api/sessions", server.url), {
      headers: { authorization: "Bearer wrong" },
    });
    expect(response.status).toBe(401);
    for (const body of [{ token: "wrong" }, { code: "wrong" }]) {
      const login = await ask(server, "/api/login", { method: "POST", body });
      expect(login.status).toBe(401);
      expect(login.headers["set-cookie"]).toBeUndefined();
    }
    // What an earlier version took for a login is the page, and nothing else.
    const old = await ask(server, `/?token=${server.token}`);
    expect(old.status).toBe(200);
    expect(old.headers["set-cookie"]).toBeUndefined();
  });

  it("[X3] a login sets an HttpOnly, SameSite=Strict cookie and gives the page a secret; neither is the token", async () => {
    await using server = await useSharedActor();
    for (const body of [{ code: codeIn(await server.loginUrl()) }, { token: server.token }]) {
      const login = await ask(server, "/api/login", { method: "POST", body });
      expect(login.status).toBe(201);
      const cookie = login.headers["set-cookie"]?.[0] ?? "";
      expect(cookie).toMatch(/; HttpOnly/i);
      expect(cookie).toMatch(/; SameSite=Strict/i);
      expect(cookie).not.toMatch(/; Secure/i);
      expect(login.headers["cache-control"]).toBe("no-store");
      expect(cookie + login.body).not.toContain(server.token);
    }
    const { headers } = await logIn(server);
    expect((await ask(server, "/api/sessions", { headers })).status).toBe(200);
  });

  it("[X4] a Host that is not ours is 403 (DNS rebinding)", async () => {
    await using server = await useSharedActor();
    const authorization = `Bearer ${server.token}`;
    for (const host of [
      "evil.example",
      "evil.example:7171",
      "127.0.0.1.evil.example",
      "localhost@evil.example",
      "localhost:99999",
      "localhost:80:80",
      "[evil.example]",
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
    await using server = await useSharedActor();
    const authorization = `Bearer ${server.token}`;
    const { port } = new URL(server.url);
    for (const origin of [
      "https://evil.example",
      "null",
      "",
      "file://",
      "http://127.0.0.1:1",
      "http://localhost",
      `https://evil.example:${port}`,
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}@evil.example`,
      `http://127.0.0.1:${port}/`,
    ]) {
      const { status } = await raw(`${server.url}/api/sessions`, { origin, authorization });
      expect([origin, status]).toEqual([origin, 403]);
    }
    expect((await raw(`${server.url}/api/sessions`, { origin: server.url, authorization })).status).toBe(200);
  });

  it("[X6] a WebSocket upgrade without a login, or from another site, reaches no session", async () => {
    await using server = await useSharedActor();
    const session = await createSession(server);
    const anonymous = new TestViewer(server.url, "wrong", session);
    expect((await anonymous.untilClosed()).code).toBe(1006);
    expect(anonymous.lines).toEqual([]);
    const foreign = new TestViewer(server.url, server.token, session, {
      headers: { origin: "https://evil.example" },
    });
    expect((await foreign.untilClosed()).code).toBe(1006);
    expect(foreign.lines).toEqual([]);
    await using own = await attach(server, session, { headers: { origin: server.url } });
    expect(own.lines[0]?.type).toBe("attached");
  });

  it("[X7] a name from allowed_hosts is ours; with a port, at that port only", async () => {
    await using server = await startActor({ allowed_hosts: ["patchbay.example", "other.example:8443"] });
    const authorization = `Bearer ${server.token}`;
    const status = async (host: string): Promise<number> =>
      (await raw(`${server.url}/api/sessions`, { host, origin: `http://${host}`, authorization })).status;
    expect(await status("patchbay.example")).toBe(200);
    expect(await status("Patchbay.Example:8080")).toBe(200);
    expect(await status("other.example:8443")).toBe(200);
    expect(await status("other.example")).toBe(403);
    expect(await status("other.example:8444")).toBe(403);
  });

  it("[X8] the token appears in no log line", async () => {
    await using server = await startActor();
    await logIn(server, { token: server.token });
    await ask(server, "/api/login", { method: "POST", body: { token: `${server.token}x` } });
    await fetch(new URL(`/nowhere?token=${server.token}`, server.url));
    await fetch(new URL(`/api/sessions?token=${server.token}`, server.url));
    await createSession(server);
    expect(server.stderr()).not.toContain(server.token);
  });

  it("[X9] pages may not frame us, and scripts come from us alone", async () => {
    await using server = await useSharedActor();
    const policy = (await fetch(server.url)).headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-eval");
  });

  it("[X10] an address that is none is 400, not a failure of ours", async () => {
    await using server = await startActor();
    expect((await ask(server, "//")).status).toBe(400);
    expect(server.stderr()).not.toContain('"level":50');
  });

  it("[X11] below a base_path everything works, whether the proxy takes the path off or not", async () => {
    await using server = await startActor({ base_path: "/team/patchbay" });
    const loginUrl = await server.loginUrl();
    expect(new URL(loginUrl).pathname).toBe("/team/patchbay/");
    const body = { code: codeIn(loginUrl) };
    const login = await ask(server, "/team/patchbay/api/login", { method: "POST", body });
    expect(login.headers["set-cookie"]?.[0]).toContain("Path=/team/patchbay;");
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
    const body = { token: trusting.token };
    const headers = { ...asked, host: "127.0.0.1", origin: "https://agents.example" };
    const login = await ask(trusting, "/api/login", { method: "POST", body, headers });
    expect(login.headers["set-cookie"]?.[0]).toContain("Secure");
    expect((await raw(trusting.url, { ...asked, "x-forwarded-host": "evil.example" })).status).toBe(403);
    await using doubting = await startActor();
    expect((await raw(doubting.url, { ...asked, "x-forwarded-host": "evil.example" })).status).toBe(200);
    expect((await raw(doubting.url, { host: "evil.example", "x-forwarded-host": "localhost" })).status).toBe(
      403,
    );
  });
});

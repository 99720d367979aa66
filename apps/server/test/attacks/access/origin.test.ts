// Requests from pages of other origins, and addresses that try to redirect.
import { describe, expect, it } from "vitest";
import { startActor, useSharedActor } from "../../support/actor.ts";
import { ask, dial, untilClosed } from "./http-client.ts";

describe("origins", () => {
  it("[X25] the scheme counts: as we serve it, or as a trusted proxy says", async () => {
    await using plain = await startActor({ allowed_hosts: ["agents.example"] });
    const call = async (server: typeof plain, headers: Record<string, string>) =>
      ask(server, "/api/sessions", { headers: { authorization: `Bearer ${server.token}`, ...headers } });
    const page = { host: "agents.example", origin: "https://agents.example" };
    const refused = await call(plain, page);
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.body).error.message).toContain('set "trust_proxy"');
    // The forwarded scheme of an untrusted peer is ignored.
    expect((await call(plain, { ...page, "x-forwarded-proto": "https" })).status).toBe(403);
    await using behind = await startActor({ allowed_hosts: ["agents.example"], trust_proxy: ["127.0.0.1"] });
    for (const [proto, origin, status] of [
      ["https", "https://agents.example", 200],
      ["wss", "https://agents.example", 200], // as Traefik says of a WebSocket
      ["https", "https://agents.example:443", 200],
      ["https", "http://agents.example", 403],
      ["http", "http://agents.example", 200],
      ["http", "http://agents.example:80", 200],
      ["http", "https://agents.example", 403],
      ["https", "https://agents.example:8443", 403],
      ["ftp", "ftp://agents.example", 403],
    ] as const) {
      const headers = { host: "agents.example", origin, "x-forwarded-proto": proto };
      expect([proto, origin, (await call(behind, headers)).status]).toEqual([proto, origin, status]);
    }
  });

  it("[X25] addresses of IPv6 and default ports are compared as browsers write them", async () => {
    await using server = await useSharedActor();
    const authorization = `Bearer ${server.token}`;
    for (const [host, origin, status] of [
      ["[::1]:7171", "http://[::1]:7171", 200],
      ["[::1]", "http://[::1]", 200],
      ["[0:0:0:0:0:0:0:1]:7171", "http://[::1]:7171", 403], // a browser shortens it, so this is none
      ["localhost:80", "http://localhost", 200],
      ["localhost", "http://localhost:80", 200],
      ["LOCALHOST:7171", "http://localhost:7171", 200],
      ["localhost:443", "http://localhost", 403],
      ["[::1]:7171", "http://127.0.0.1:7171", 403],
    ] as const) {
      const headers = { host, origin, authorization };
      const answer = await ask(server, "/api/sessions", { headers });
      expect([host, origin, answer.status]).toEqual([host, origin, status]);
    }
    const head = `GET /api/sessions HTTP/1.1\r\nhost: \r\nauthorization: ${authorization}\r\nconnection: close\r\n\r\n`;
    expect(await untilClosed(await dial(server, head))).toMatch(/^HTTP\/1\.1 403 /);
  });

  it("[X26] Sec-Fetch-Site is a second check behind the origin", async () => {
    await using server = await useSharedActor();
    const authorization = `Bearer ${server.token}`;
    const call = async (method: string, site: string): Promise<number> =>
      (await ask(server, "/api/sessions", { method, headers: { authorization, "sec-fetch-site": site } }))
        .status;
    for (const site of ["cross-site", "same-site"]) {
      expect(await call("POST", site)).toBe(403);
      expect(
        (await ask(server, "/api/login", { method: "POST", body: {}, headers: { "sec-fetch-site": site } }))
          .status,
      ).toBe(403);
    }
    for (const site of ["same-origin", "none"]) expect(await call("POST", site)).toBe(201);
    // Links to our pages may be anywhere.
    const page = await ask(server, "/sessions/x", { headers: { "sec-fetch-site": "cross-site" } });
    expect(page.status).toBe(200);
  });

  it("[X27] no address leads away: nothing is redirected, whatever it holds", async () => {
    await using server = await useSharedActor();
    const { token } = server;
    const paths = [
      `/.//evil.example/?token=${token}`,
      `//evil.example/?token=${token}`,
      `///evil.example/?token=${token}`,
      `/\\evil.example/?token=${token}`,
      `/%5Cevil.example/?token=${token}`,
      `/%2F%2Fevil.example/?token=${token}`,
      `/..//evil.example?token=${token}`,
      `/;//evil.example?token=${token}&next=//evil.example`,
      `/login?next=https://evil.example&token=${token}`,
      `http://evil.example/?token=${token}`,
      `/%0d%0alocation:%20https://evil.example?token=${token}`,
      "/assets//evil.example",
      "/sessions",
      "/sessions/",
    ];
    for (const path of paths) {
      for (const method of ["GET", "HEAD", "POST"]) {
        const { status, headers } = await ask(server, path, { method });
        expect([path, Math.floor(status / 100)]).not.toEqual([path, 3]);
        expect(headers.location).toBeUndefined();
        expect(headers["set-cookie"]).toBeUndefined();
      }
    }
  });
});

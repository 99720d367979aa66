// Every call needs a login. The routes are those that the server itself has: one that is added later is tried too.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { openApp } from "../../support/app-in-process.ts";
import { ask, logIn, refusedUpgrade } from "./http-client.ts";

/** With the secret of a share link. */
const sharedCalls = ["GET /api/shared/:share", "HEAD /api/shared/:share"];

/** What may be had without a login, besides the files of the page. */
const openApi = [
  "POST /api/login",
  "GET /api/login/methods",
  "HEAD /api/login/methods",
  "POST /api/login/invitation",
  ...sharedCalls,
];
const openCalls = new Set([
  ...["GET /healthz", "HEAD /healthz", "GET /shared/:share", "HEAD /shared/:share"],
  ...openApi,
]);

describe("every route", () => {
  it("[X1] without the token every call but healthz, login and the page is 401", async () => {
    await using server = await openApp();
    const routes = server.app.routes();
    // The guard collects them by onRoute. Fastify's own list shows that none was added before the guard was.
    const listed = [...server.app.http.printRoutes().matchAll(/\(([A-Z, ]+)\)/g)];
    expect(listed.flatMap(([, methods]) => methods?.split(", ") ?? [])).toHaveLength(routes.length);
    for (const { method, url, open } of routes) {
      const { status, body } = await ask(server, url.replaceAll(/:\w+/g, "x").replace("*", "x"), { method });
      if (open) expect([method, url, status]).not.toEqual([method, url, 401]);
      else expect([method, url, status]).toEqual([method, url, 401]);
      if (!open && method !== "HEAD")
        expect(JSON.parse(body)).toMatchObject({ error: { code: "not_logged_in" } });
    }
    const isOpenCall = ({ open, method, url }: { open: boolean; method: string; url: string }) =>
      open && (url.startsWith("/api/") || !["GET", "HEAD"].includes(method));
    const found = routes.filter(isOpenCall).map(({ method, url }) => `${method} ${url}`);
    expect(found.toSorted()).toEqual(openApi.toSorted());
  });

  it("[X14] needs a login, except healthz, the login itself and the files of the page", async () => {
    await using server = await openApp();
    const routes = server.app.routes();
    expect(routes.length).toBeGreaterThan(40);
    const { token } = server;
    const { cookie } = await logIn({ ...server, loginUrl: async () => "" }, { token });
    const wrong: Record<string, string>[] = [
      {},
      { cookie },
      { cookie, "x-patchbay-page": "wrong" },
      { authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}` },
      { authorization: token },
    ];
    const open: string[] = [];
    for (const { method, url, open: isOpen, socket } of routes) {
      const path = url.replaceAll(/:\w+/g, "x").replace("*", "x");
      for (const headers of wrong) {
        const { status } = await ask(server, `${path}?token=${token}&code=x`, { method, headers });
        if (isOpen) expect([method, url, status]).not.toEqual([method, url, 401]);
        else expect([method, url, headers, status]).toEqual([method, url, headers, 401]);
        if (socket && method === "GET")
          expect([url, await refusedUpgrade(server, path, headers)]).toEqual([url, 401]);
      }
      if (isOpen) open.push(`${method} ${url}`);
    }
    const calls = open.filter((call) => call.includes("/api/") || !/^(GET|HEAD) /.test(call));
    expect(calls.toSorted()).toEqual(openApi.toSorted());
    for (const call of open.filter((each) => !openCalls.has(each) && !/^(GET|HEAD) \/\*$/.test(each)))
      expect([call, existsSync(join(repository, "dist/web", call.replace(/^\w+ /, "")))]).toEqual([
        call,
        true,
      ]);
  });

  it("[X14] refuses upgrades wherever there is no WebSocket, with the token too", async () => {
    await using server = await openApp();
    const headers = { authorization: `Bearer ${server.token}` };
    const sockets = server.app.routes().filter(({ socket, method }) => socket && method === "GET");
    expect(sockets.map(({ url }) => url).sort()).toEqual([
      "/api/sessions/:id/socket",
      "/api/sessions/events",
    ]);
    for (const { method, url, socket } of server.app.routes()) {
      if (socket || method === "HEAD") continue; // a HEAD has no body, and Node writes none
      const path = url.replaceAll(/:\w+/g, "x").replace("*", "x");
      expect([method, url, await refusedUpgrade(server, path, headers, method)]).toEqual([method, url, 404]);
    }
  });
});

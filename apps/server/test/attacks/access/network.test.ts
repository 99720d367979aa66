// Who can reach the server at all: only this machine, unless the operator has configured more.
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { startServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { ask, refusedUpgrade } from "./http-client.ts";
import { refusedStart } from "./refused-start.ts";

/** An address of this machine that is not loopback, where there is one. */
const outside =
  Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === "IPv4" && !each.internal)?.address ?? "127.0.0.1";

/** Plain http to the address that others on the network use. */
const reached = (server: { url: string }, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server.url);
    request({ host: outside, port, path: "/healthz", headers }, (response) =>
      resolve(response.resume().statusCode ?? 0),
    )
      .on("error", reject)
      .end();
  });

describe("listening beyond this machine", () => {
  it("[X30] is refused over plain http, with what to do", async () => {
    const attempts: [string[], object, Record<string, string>][] = [
      [["--host", "0.0.0.0"], {}, {}],
      [["--host", "::"], {}, {}],
      [["--host", ""], {}, {}],
      [["--host", "192.0.2.7"], {}, {}],
      [["--host", "some-host"], {}, {}],
      [[], { host: "0.0.0.0" }, {}],
      [[], {}, { PATCHBAY_HOST: "0.0.0.0" }],
      [["--host", "0.0.0.0"], { trust_proxy: false, insecure_network: false }, {}],
    ];
    for (const [args, config, env] of attempts) {
      const sentence = await refusedStart(args, config, env);
      expect(sentence).toContain("over plain http");
      for (const way of ["--tls-cert", "trust_proxy", "--insecure-network"]) expect(sentence).toContain(way);
    }
  });

  it("[X30] works with --insecure-network or its key, and warns at every start", async () => {
    for (const options of [
      { args: ["--host", "0.0.0.0", "--insecure-network"] },
      { config: { host: "0.0.0.0", insecure_network: true } },
    ]) {
      await using server = await startServer(options);
      expect(await reached(server)).toBe(200);
      expect(server.stderr()).toContain("everyone on the network can read");
      await server.kill();
      await server.start();
      expect(server.stderr().split("everyone on the network can read")).toHaveLength(3);
    }
  });

  it("[X30] works behind a proxy that is named, without a warning", async () => {
    for (const trust_proxy of [true, ["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"]]) {
      await using server = await startServer({ args: ["--host", "0.0.0.0"], config: { trust_proxy } });
      expect(await reached(server)).toBe(200);
      expect(server.stderr()).not.toContain('"level":40');
    }
  });

  it("[X30] loopback needs none of it, under any of its names", async () => {
    const hasIPv6 = Object.values(networkInterfaces())
      .flat()
      .some((each) => each?.address === "::1");
    for (const host of ["127.0.0.1", "localhost", "127.8.9.10", ...(hasIPv6 ? ["::1"] : [])]) {
      await using server = await startServer({ args: ["--host", host] });
      expect((await server.call("GET", "/api/sessions")).status).toBe(200);
      expect(server.stderr()).not.toContain('"level":40');
    }
    if (!hasIPv6) return;
    // The name has two addresses on most machines, and on every one of them in this server.
    const resolver = `import dns from "node:dns/promises"; import { syncBuiltinESMExports } from "node:module";
      dns.lookup = async () => [{ address: "127.0.0.1", family: 4 }, { address: "::1", family: 6 }];
      syncBuiltinESMExports();`;
    await using server = await startServer({
      args: ["--host", "localhost"],
      nodeArgs: ["--import", `data:text/javascript,${encodeURIComponent(resolver)}`],
    });
    const { port } = new URL(server.url);
    for (const name of ["127.0.0.1", "[::1]"]) {
      const headers = { authorization: `Bearer ${server.token}` };
      expect((await fetch(`http://${name}:${port}/api/sessions`, { headers })).status).toBe(200);
      const socket = new WebSocket(`ws://${name}:${port}/api/sessions/events`, { headers });
      await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
      socket.terminate();
      expect(await refusedUpgrade({ url: `http://${name}:${port}` }, "/api/sessions/events")).toBe(401);
    }
  });
});

describe("settings", () => {
  it("[X32] a token of the operator's own has at least 32 characters", async () => {
    for (const token of ["x", "x".repeat(31), `  ${"x".repeat(31)}  `]) {
      const sentence = await refusedStart([], {}, { PATCHBAY_TOKEN: token });
      expect(sentence).toContain("needs at least 32");
      expect(sentence).not.toContain("xxx");
    }
    const token = "x".repeat(32);
    await using server = await startServer({ env: { PATCHBAY_TOKEN: token } });
    expect(
      (await ask(server, "/api/sessions", { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(200);
  });

  it("[X33] only proxies that are named are believed, by address or range", async () => {
    const asked = { "x-forwarded-host": "agents.example", "x-forwarded-proto": "https" };
    const secure = async (trust_proxy: unknown): Promise<boolean> => {
      await using server = await startServer({ config: { trust_proxy, allowed_hosts: ["agents.example"] } });
      const body = { token: server.token };
      const login = await ask(server, "/api/login", { method: "POST", body, headers: asked });
      expect(login.status).toBe(201);
      return /; Secure/.test(login.headers["set-cookie"]?.[0] ?? "");
    };
    expect(await secure(["127.0.0.1"])).toBe(true);
    expect(await secure(["127.0.0.0/8", "::1"])).toBe(true);
    expect(await secure(["127.0.0.2", "10.0.0.0/8"])).toBe(false);
    for (const wrong of [
      ["proxy.example"],
      ["10.0.0.0/33"],
      ["10.0.0.0/"],
      ["10.0.0.0/8/8"],
      [],
      "127.0.0.1",
    ])
      expect(await refusedStart([], { trust_proxy: wrong })).toMatch(/trust_proxy/);
  });
});

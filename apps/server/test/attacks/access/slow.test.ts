// Peers that take their time, or all the connections there are.
import type { Socket } from "node:net";
import { TestViewer } from "@patchbay/testing/socket-client";
import { describe, expect, it } from "vitest";
import { createSession, startActor, useSharedActor } from "../../support/actor.ts";
import { ask, dial, logIn, untilClosed } from "./http-client.ts";

/** Writes a byte every 50 ms until the socket closes. */
function trickle(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.writable && socket.write(text[at++ % text.length] ?? ""), 50);
  socket.once("close", () => clearInterval(timer));
}

describe("slow peers", () => {
  it("[X28] headers and bodies that never end are ended, and silent connections too", async () => {
    await using server = await startActor({ limits: { header_ms: 1_000, body_ms: 2_000 } });
    const { host } = new URL(server.url);
    const post = (path: string, more: string) =>
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${server.token}\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;
    const cases: [string, string, string][] = [
      ["nothing at all", "", ""],
      ["half a request line", "GET /heal", ""],
      ["headers, one letter at a time", `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nx-long: `, "x"],
      ["a body, one letter at a time", post("/api/sessions", "content-length: 100000"), " "],
      ["a chunked body", post("/api/sessions", "transfer-encoding: chunked"), "1\r\nx\r\n"],
      ["half a body", `${post("/api/sessions", "content-length: 10")}{`, ""],
    ];
    const ends = cases.map(async ([what, head, more]) => {
      const before = performance.now();
      const socket = await dial(server, head);
      if (more !== "") trickle(socket, more);
      const said = await untilClosed(socket);
      const took = performance.now() - before;
      return { what, said: said === "" ? "" : (/^HTTP\/1\.1 (\d+)/.exec(said)?.[1] ?? said), took };
    });
    for (const { what, said, took } of await Promise.all(ends)) {
      expect([what, ["", "408"].includes(said)]).toEqual([what, true]);
      expect([what, took < 8_000]).toEqual([what, true]);
    }
    expect((await server.call("GET", "/healthz")).status).toBe(200);
  });

  it("[X28] a body without a login is refused before it has come", async () => {
    await using server = await useSharedActor();
    const { host } = new URL(server.url);
    const head = `POST /api/sessions HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n`;
    const socket = await dial(server, head);
    trickle(socket, " ");
    const before = performance.now();
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 401 /);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it("[X28] neither ends what takes long for a good reason: sockets, and connections between calls", async () => {
    await using server = await startActor({ limits: { header_ms: 400, body_ms: 800 } });
    const session = await createSession(server);
    await using viewer = new TestViewer(server.url, server.token, session);
    await viewer.caughtUp();
    const { host } = new URL(server.url);
    const call = `GET /healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
    const kept = await dial(server, call);
    const silent = await dial(server, "");
    const heard = (text: string) =>
      new Promise<void>((resolve) => kept.on("data", (data) => String(data).includes(text) && resolve()));
    await heard("200 OK");
    await untilClosed(silent); // so much time has passed
    kept.write(call);
    await heard("200 OK");
    kept.destroy();
    expect((await viewer.ask({ type: "get_state" })).success).toBe(true);
  });
});

describe("many connections", () => {
  it("[X29] one address without a login gets a bounded number; others, and who is logged in, are served", async () => {
    await using server = await startActor({ limits: { connections_per_address: 20 } });
    const greedy = await Promise.all(
      Array.from({ length: 60 }, () => dial(server, "", { localAddress: "127.0.0.2" })),
    );
    const isOpen = async (socket: Socket): Promise<boolean> => {
      if (socket.closed) return false;
      // One that was refused is closed without a word; on the others a call is answered.
      const closed = new Promise<boolean>((resolve) => socket.once("close", () => resolve(false)));
      const answered = new Promise<boolean>((resolve) => socket.once("data", () => resolve(true)));
      socket.write(`GET /healthz HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\n\r\n`);
      return Promise.race([closed, answered]);
    };
    const open = await Promise.all(greedy.map(isOpen));
    expect(open.filter(Boolean)).toHaveLength(20);
    expect((await ask(server, "/healthz")).status).toBe(200);
    await expect(ask(server, "/healthz", { localAddress: "127.0.0.2" })).rejects.toThrow();
    for (const socket of greedy) socket.destroy();
    await expect
      .poll(() =>
        ask(server, "/healthz", { localAddress: "127.0.0.2" }).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });

  it("[X29] connections that have logged in do not count", async () => {
    await using server = await startActor({ limits: { connections_per_address: 10 } });
    const session = await createSession(server);
    const { cookie, secret } = await logIn(server);
    const byCookie = { headers: { cookie }, protocols: ["patchbay", `patchbay.${secret}`] };
    const viewers: TestViewer[] = [];
    for (let at = 0; at < 40; at++) {
      const options = at % 2 === 0 ? {} : byCookie;
      const viewer = new TestViewer(server.url, at % 2 === 0 ? server.token : "", session, options);
      await viewer.caughtUp();
      viewers.push(viewer);
    }
    expect((await server.call("GET", "/api/sessions")).status).toBe(200);
    for (const viewer of viewers) await viewer.close();
  });

  it("[X29] there is a number of connections in all, and those that are there stay", async () => {
    await using server = await startActor({ limits: { connections: 30 } });
    const session = await createSession(server);
    await using viewer = new TestViewer(server.url, server.token, session);
    await viewer.caughtUp();
    const sockets = await Promise.all(
      Array.from({ length: 60 }, (_each, at) => dial(server, "", { localAddress: `127.0.1.${at + 1}` })),
    );
    await Promise.all(sockets.slice(40).map(untilClosed));
    expect((await viewer.ask({ type: "get_state" })).success).toBe(true);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(() =>
        ask(server, "/healthz").then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });
});

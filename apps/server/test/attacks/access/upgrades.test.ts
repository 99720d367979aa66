// Upgrades are refused before they are made: nothing that a stranger sends after one is read.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSession, startActor, useSharedActor } from "../../support/actor.ts";
import { dial, refusedUpgrade, untilClosed, upgradeHead } from "./http-client.ts";

const memoryOf = (pid: number | undefined): number =>
  Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

describe("upgrades", () => {
  it("[X24] are answered with plain HTTP and an end: 401, 403 or 404", async () => {
    await using server = await useSharedActor();
    const session = await createSession(server);
    const path = `/api/sessions/${session}/socket`;
    const authorization = `Bearer ${server.token}`;
    const cases: [string, Record<string, string>, number][] = [
      [path, {}, 401],
      [path, { authorization: "Bearer wrong" }, 401],
      [`${path}?token=${server.token}`, {}, 401],
      ["/api/sessions/nowhere/socket", {}, 401],
      ["/api/sessions/events", {}, 401],
      [path, { authorization, origin: "https://evil.example" }, 403],
      [path, { authorization, origin: "null" }, 403],
      [path, { authorization, host: "evil.example" }, 403],
      [path, { authorization, "sec-fetch-site": "cross-site" }, 403],
      [path, { authorization, "sec-fetch-site": "same-site" }, 403],
      ["/", {}, 404],
      ["/healthz", {}, 404],
      ["/early.js", {}, 404],
      ["/sessions/x", {}, 404],
      ["/api/login", {}, 404],
      ["/api/sessions", { authorization }, 404],
      ["/nowhere", { authorization }, 404],
      [path, { authorization, upgrade: "h2c" }, 400],
      [path, { authorization, "sec-websocket-version": "1" }, 400],
    ];
    for (const [at, headers, status] of cases)
      expect([at, headers, await refusedUpgrade(server, at, headers)]).toEqual([at, headers, status]);
    for (const method of ["POST", "DELETE", "PUT", "OPTIONS"])
      expect(await refusedUpgrade(server, path, { authorization }, method)).toBeGreaterThanOrEqual(400);
    // An unknown session is reported on the open socket, as before.
    const said = await untilClosed(
      await dial(server, upgradeHead(server, "/api/sessions/nowhere/socket", { authorization })),
    );
    expect(said).toContain("101 Switching Protocols");
    expect(said).toContain("\u0011\u0034This session does not exist"); // 0x1134 is 4404
  });

  it.runIf(process.platform === "linux")(
    "[X24] 200 sockets without a login that send 16 MB each leave the server's memory where it was",
    async () => {
      await using server = await startActor({ limits: { worker_pool: 0 } });
      const session = await createSession(server);
      const paths = [
        "/",
        "/healthz",
        `/api/sessions/${session}/socket`,
        "/api/sessions/events",
        "/early.js",
        "/x",
      ];
      const frame = Buffer.alloc(16 * 1024 * 1024, 0x55);
      // A masked text frame of that length.
      Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x01, 0, 0, 0, 1, 2, 3, 4]).copy(frame);
      const flood = async (count: number): Promise<void> => {
        await Promise.all(
          Array.from({ length: count }, async (_each, index) => {
            const socket = await dial(server, upgradeHead(server, paths[index % paths.length] ?? "/"));
            socket.write(frame);
            await untilClosed(socket);
          }),
        );
      };
      await flood(20); // what any requests make of a fresh process
      const before = memoryOf(server.process.pid);
      let highest = before;
      const looks = setInterval(() => {
        highest = Math.max(highest, memoryOf(server.process.pid));
      }, 5);
      await flood(200);
      clearInterval(looks);
      highest = Math.max(highest, memoryOf(server.process.pid));
      expect(highest - before).toBeLessThan(48 * 1024 * 1024); // the frames are 3.3 GB
      expect((await server.call("GET", "/healthz")).status).toBe(200);
    },
  );

  it.runIf(process.platform === "linux")(
    "[X24] nor do bodies without a login, however large they say they are",
    async () => {
      await using server = await startActor({ limits: { worker_pool: 0 } });
      const { host } = new URL(server.url);
      const piece = Buffer.alloc(4 * 1024 * 1024, 0x20);
      const flood = (count: number) =>
        Promise.all(
          Array.from({ length: count }, async (_each, index) => {
            const path = index % 2 === 0 ? "/api/sessions" : "/api/login";
            const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 1000000000\r\n\r\n`;
            const socket = await dial(server, head);
            for (let sent = 0; sent < 4 && socket.writable; sent++) socket.write(piece);
            return untilClosed(socket);
          }),
        );
      await flood(20);
      const before = memoryOf(server.process.pid);
      const answers = await flood(200);
      expect(memoryOf(server.process.pid) - before).toBeLessThan(48 * 1024 * 1024);
      // Some see the end of the connection before they have read the answer.
      for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 (401|413) |$)/);
      expect((await server.call("GET", "/healthz")).status).toBe(200);
    },
  );
});

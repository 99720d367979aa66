// The list of sessions as it changes, for pages that look elsewhere.
import type { RunningServer } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import WebSocket from "ws";
import { logIn } from "../attacks/access/http-client.ts";
import { createSession, openSession, startActor } from "../support/actor.ts";

type Line = Record<string, unknown>;

/** What is told from the moment that this resolves. */
async function watchList(
  server: RunningServer,
): Promise<AsyncDisposable & { line(is: (line: Line) => boolean): Promise<Line> }> {
  const address = new URL("/api/sessions/events", server.url.replace("http", "ws"));
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${server.token}` } });
  const lines: Line[] = [];
  let wake = (): void => {};
  socket.on("message", (data) => {
    const text = Buffer.isBuffer(data) ? data.toString() : "";
    for (const line of text.split("\n").filter(Boolean)) lines.push(JSON.parse(line));
    wake();
  });
  const line = async (is: (line: Line) => boolean): Promise<Line> => {
    for (;;) {
      const found = lines.find(is);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  await line(({ type }) => type === "alive");
  return {
    line,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.close();
      await closed;
    },
  };
}

const sessionOf = (line: Line): Line => Object(line["session"]);

describe("the list as it changes", () => {
  it("[L84] new sessions, questions, how a turn ended, and sessions that are gone are told as they happen", async () => {
    await using server = await startActor();
    await using list = await watchList(server);
    await using viewer = await openSession(server);
    const id = viewer.session?.id;
    await list.line((line) => sessionOf(line)["id"] === id && sessionOf(line)["state"] === "idle");
    await viewer.ask({ type: "prompt", message: "ask 600000" });
    const asking = await list.line((line) => sessionOf(line)["state"] === "waiting");
    expect(sessionOf(asking)["pending"]).toMatchObject([{ title: "Sure?" }]);
    viewer.send('{"type":"extension_ui_response","id":"q1","confirmed":true}\n');
    await list.line((line) => sessionOf(line)["state"] === "idle" && sessionOf(line)["last_turn"] === "done");
    await viewer.ask({ type: "prompt", message: "hang" });
    await viewer.ask({ type: "abort" });
    await list.line((line) => sessionOf(line)["last_turn"] === "stopped");
    await server.call("DELETE", `/api/sessions/${id}?undo=60`);
    await list.line((line) => sessionOf(line)["id"] === id && sessionOf(line)["deletes_at"] !== undefined);
    await server.call("DELETE", `/api/sessions/${id}`);
    expect(await list.line(({ type }) => type === "session_gone")).toEqual({ type: "session_gone", id });
  });

  it("[L84] without the token, or from another site, it is refused", async () => {
    await using server = await startActor();
    await createSession(server);
    const address = new URL("/api/sessions/events", server.url.replace("http", "ws"));
    const answer = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve) => {
        const socket = new WebSocket(address, { headers });
        socket.on("error", () => {}); // that it was refused is what we want
        socket.on("open", () => resolve(101));
        socket.on("unexpected-response", (request, { statusCode }) => {
          request.destroy();
          resolve(statusCode);
        });
      });
    expect(await answer({})).toBe(401);
    const authorization = `Bearer ${server.token}`;
    expect(await answer({ authorization, origin: "https://elsewhere.example" })).toBe(403);
  });

  it("[A19] a page that opens it in a loop has to wait, and keeps no other page away", async () => {
    await using server = await startActor({ limits: { attaches_per_minute: 2 } });
    const address = new URL("/api/sessions/events", server.url.replace("http", "ws"));
    const opened = ({ cookie, secret }: { cookie: string; secret: string }): Promise<"open" | number> =>
      new Promise((resolve) => {
        const protocols = ["patchbay", `patchbay.${secret}`];
        const socket = new WebSocket(address, protocols, { headers: { cookie } });
        socket.once("close", (code) => resolve(code));
        socket.once("message", () => {
          resolve("open");
          socket.close();
        });
      });
    const [one, other] = [await logIn(server), await logIn(server)];
    expect([await opened(one), await opened(one), await opened(one)]).toEqual(["open", "open", 1013]);
    expect(await opened(other)).toBe("open");
    await using _byToken = await watchList(server);
  });
});

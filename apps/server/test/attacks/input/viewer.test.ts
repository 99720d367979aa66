// What a viewer can send, over the session socket and by HTTP, with the token: it costs its own session at most, and nobody
// waits for it.
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { type RunningServer, startServer } from "@patchbay/testing/server-process";
import type { TestViewer } from "@patchbay/testing/socket-client";
import { Watchdog } from "@patchbay/testing/watchdog";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { actorConfig, attach, createSession, openSession } from "../../support/actor.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

const watchdog = new Watchdog();
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ config: actorConfig(), ...watchdog.options });
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => void watchdog.longestBlock());
afterEach(async () => {
  expect((await server.call("GET", "/healthz")).status).toBe(200);
  expect(watchdog.excessiveBlock()).toBeUndefined();
});

const memory = (): number => {
  const status = readFileSync(`/proc/${String(server.process.pid)}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
};

/** A session of 3,000 messages. */
async function longSession(): Promise<TestViewer> {
  const viewer = await openSession(server, { worker: "hostile" });
  viewer.countOnly();
  await viewer.ask({ type: "prompt", message: "attempt messages" });
  await viewer.until(() => viewer.session?.state === "idle");
  return viewer;
}

describe("lines of a viewer", () => {
  it("[Z110] five million short lines in one message close its socket, and cost no memory", async () => {
    await using viewer = await openSession(server);
    const before = memory();
    viewer.send("{}\n".repeat(5_000_000));
    await viewer.untilClosed();
    expect(viewer.closed?.code).toBe(1009);
    expect(memory() - before).toBeLessThan(300_000_000);
  });

  it("[Z110] a message of nothing but line ends closes its socket", async () => {
    await using viewer = await openSession(server);
    viewer.send("\n".repeat(15_000_000));
    await viewer.untilClosed();
    expect(viewer.closed?.code).toBe(1009);
  });

  it.each([
    ["nested 100,000 deep", `{"type":"prompt","message":${nested(100_000)}}`, /nested more than/],
    [
      "of a million values",
      `{"type":"prompt","message":[${"1,".repeat(1_000_000)}1]}`,
      /more than 10000 values/,
    ],
    ["with an id of a megabyte", `{"type":"ping","id":"${"i".repeat(1_000_000)}"}`, /at most 200|"id"/],
    ["with an id that is no text", '{"type":"ping","id":{"a":1}}', /"id"/],
    ["of no type", '{"__proto__":{"type":"ping"}}', /type/],
    ["that is an array", '["ping"]', /command/],
    ["that is no JSON", "{type: ping}", /malformed json/],
    ["with a model of a megabyte", `{"type":"set_model","model":"${"m".repeat(1_000_000)}"}`, /model/],
    ["that ends in the middle of a character", '{"type":"ping","id":"\ud83d"', /malformed json/],
  ])("[Z111] a line %s is answered, and the socket lives on", async (_what, line, problem) => {
    await using viewer = await openSession(server);
    viewer.send(line);
    const refused = await viewer.line((answer) => answer.type === "response" && answer["success"] === false);
    expect(String(refused["error"])).toMatch(problem);
    expect(String(refused["error"]).length).toBeLessThan(1_000);
    expect((await viewer.ask({ type: "ping" })).success).toBe(true);
  });

  it("[Z112] ten prompts of 14 MB: what fits is kept, the rest is refused, and memory stays bounded", async () => {
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "hang" });
    const before = memory();
    const data = "A".repeat(14_000_000);
    let queued = 0;
    for (let index = 0; index < 10; index++) {
      const images = [{ mime_type: "image/png", data }];
      const answer = await viewer.ask({ type: "prompt", message: `p${index}`, images });
      if (answer.success) queued++;
      else expect(answer.error).toMatch(/queue of this session is full/);
    }
    expect(queued).toBe(2);
    expect(memory() - before).toBeLessThan(500_000_000);
    for (let round = 0; round < 20; round++)
      await viewer.ask({ type: "queue_move", item: String(queueOf(viewer)[1]?.id), to: 0 });
    expect((await viewer.ask({ type: "queue_remove", item: String(queueOf(viewer)[0]?.id) })).success).toBe(
      true,
    );
  });

  it("[Z113] a thousand questions about a long transcript at once", async () => {
    await using viewer = await longSession();
    const types = [
      "get_branches",
      "get_branch_messages",
      "get_last_assistant_text",
      "get_session_stats",
      "get_messages",
    ];
    for (let index = 0; index < 200; index++)
      viewer.send(types.map((type) => `${JSON.stringify({ type, id: `${type}${index}` })}\n`).join(""));
    await viewer.response("get_session_stats199");
    expect((await viewer.ask({ type: "ping" })).success).toBe(true);
  });

  it("[Z114] twenty viewers that open a long session at once", async () => {
    await using viewer = await longSession();
    const id = String(viewer.session?.id);
    const viewers = await Promise.all(Array.from({ length: 20 }, () => attach(server, id)));
    for (const each of viewers) await each[Symbol.asyncDispose]();
  });

  it("[Z115] a tab that is closed while its session is being opened is no viewer of it", async () => {
    await using own = await startServer({ config: actorConfig() });
    await using first = await openSession(own, { worker: "hostile" });
    const id = String(first.session?.id);
    first.countOnly();
    await first.ask({ type: "prompt", message: "attempt messages" });
    await first.until(() => first.session?.state === "idle");
    await own.kill();
    await own.start();
    for (let tab = 0; tab < 5; tab++) (await openTab(own, id)).destroy();
    await using viewer = await attach(own, id);
    await viewer.until(() => viewer.session?.viewers === 1);
    expect((await own.call("GET", `/api/sessions/${id}`)).body).toMatchObject({ session: { viewers: 1 } });
  });
});

const queueOf = (viewer: TestViewer): { id: string }[] =>
  (viewer.lines.findLast((line) => line.type === "queue")?.["items"] ?? []) as { id: string }[];

/** A socket that is upgraded, and not yet attached. */
function openTab(own: RunningServer, session: string): Promise<import("node:net").Socket> {
  const headers = {
    authorization: `Bearer ${own.token}`,
    ...{ connection: "Upgrade", upgrade: "websocket" },
    ...{ "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
  };
  return new Promise((resolve, reject) => {
    request(new URL(`/api/sessions/${session}/socket`, own.url), { headers })
      .once("upgrade", (_response, socket) => resolve(socket))
      .once("error", reject)
      .end();
  });
}

describe("HTTP calls", () => {
  it.each([
    [
      "a range of all time in a zone",
      "/api/usage?group_by=day&tz=Pacific/Apia&from=-271821-04-20&to=%2B275760-09-13",
    ],
    [
      "a range that ends before it begins",
      "/api/usage?group_by=hour&tz=Asia/Kathmandu&from=2030-01-01&to=2020-01-01",
    ],
    ["a zone that is none", "/api/usage?tz=../../etc/passwd"],
    ["groups that are none", "/api/usage?group_by=constructor,__proto__"],
    [
      "a search for FTS5's own words",
      `/api/search?q=${encodeURIComponent('" OR NEAR(a b) * ^ ( ) : {x} -')}`,
    ],
    ["a search of 100 KB", `/api/search?q=${"a%20".repeat(12_000)}`],
    ["a path with NUL", "/api/sessions/x/files?path=%00"],
    ["an id with a path", "/api/sessions/..%2f..%2ftoken"],
    ["an id of 10 KB", `/api/sessions/${"x".repeat(10_000)}`],
    ["a limit beyond all", "/api/usage/turns?limit=999999999999"],
    ["a number that is none", "/api/sessions/x/messages?from=NaN&count=1e999"],
  ])("[Z120] %s is answered", async (_what, path) => {
    expect([200, 400, 404, 414, 431]).toContain((await server.call("GET", path)).status);
  });

  it.each([
    ["nested 200,000 deep", `{"cwd":${nested(200_000)}}`],
    ["of 100,000 keys", `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(",")}}`],
    ["with a prototype", '{"__proto__":{"polluted":true},"worker":"actor"}'],
    ["with numbers beyond all", '{"cwd":1e999,"worker":-0}'],
    ["with a name of 900 KB", `{"name":"${"n".repeat(900_000)}"}`],
    ["with a directory of 900 KB", `{"cwd":"${"/a".repeat(450_000)}"}`],
    ["that is no object", "[]"],
    ["that is cut", '{"worker":'],
    ["that is not UTF-8", "\u0080\ud800"],
  ])("[Z121] a body %s is refused", async (_what, body) => {
    const response = await fetch(new URL("/api/sessions", server.url), {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: expect.any(String) } });
  });

  it("[Z122] exports of what no reader of Markdown likes are files, or refused in words", async () => {
    await using viewer = await openSession(server);
    const texts = [
      `a${" ".repeat(400_000)}b`,
      "*".repeat(300_000),
      "[".repeat(300_000),
      "> ".repeat(100_000),
      `${"a|".repeat(100_000)}\n${"-|".repeat(100_000)}`,
      "<".repeat(300_000),
      "![](".repeat(100_000),
      "`".repeat(300_001),
      "- ".repeat(100_000),
      "\\".repeat(300_000),
    ];
    for (const text of texts) {
      const message = {
        type: "assistant_message",
        content: [{ type: "text", text }],
        time: "2026-01-01T00:00:00Z",
      };
      await viewer.ask({ type: "prompt", message: `frames ${JSON.stringify([message])}` });
      await viewer.until(() => viewer.session?.state === "idle");
    }
    for (const format of ["html", "md", "jsonl"]) {
      const path = `/api/sessions/${String(viewer.session?.id)}/export?format=${format}`;
      expect([200, 413]).toContain((await server.call("GET", path)).status);
    }
  }, 120_000);

  it("[Z123] a session's name in the header of its export is no header of its own", async () => {
    const id = await createSession(server, { name: 'x"\r\nset-cookie: a=b\u2028é'.slice(0, 100) });
    const response = await fetch(new URL(`/api/sessions/${id}/export?format=jsonl`, server.url), {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+"$/);
  });

  it.each([
    ["with a NUL", "secret\0model"],
    ["that no command line can hold", "m".repeat(900_000)],
  ])("[Z125] a model %s fails its session and does not leave it starting", async (_what, model) => {
    const { status, body, text } = await server.call("POST", "/api/sessions", { model });
    if (status === 400) return expect(text).toContain("model"); // refused where it enters
    const { session } = body as { session: { id: string } };
    await using viewer = await attach(server, session.id);
    await viewer.state("failed");
    expect(viewer.session?.reason).toContain("could not be started");
    expect(viewer.session?.reason).not.toContain("secret");
    expect(server.stderr()).not.toContain("secret");
  });

  it("[Z124] 300 sessions hold fewer descriptors than they are", async () => {
    const own = await startServer({ config: actorConfig({ limits: { workers: 1 } }) });
    try {
      for (let index = 0; index < 300; index++)
        await own.call("POST", "/api/sessions", { worker: "exit-early" });
      const { readdirSync } = await import("node:fs");
      expect(readdirSync(`/proc/${String(own.process.pid)}/fd`).length).toBeLessThan(290);
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });
});

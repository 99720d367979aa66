// The HTTP calls of contract §3.
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { SessionInfo } from "@patchbay/protocol";
import { repository } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";
import { createSession, openSession, startActor, useSharedActor } from "../support/actor.ts";

describe("sessions", () => {
  it("[H1] create, read, list, rename, delete", async () => {
    await using server = await startActor();
    const created = await server.call("POST", "/api/sessions", { name: "first" });
    expect(created.status).toBe(201);
    const session = SessionInfo.parse((created.body as { session: unknown }).session);
    expect(session).toMatchObject({
      name: "first",
      worker: "actor",
      dialect: "zot",
      cwd: server.cwd,
      pending: [],
    });
    expect((await server.call("GET", `/api/sessions/${session.id}`)).body).toMatchObject({
      session: { id: session.id },
    });
    expect((await server.call("GET", "/api/sessions")).body).toMatchObject({
      sessions: [{ id: session.id }],
    });
    const renamed = await server.call("PATCH", `/api/sessions/${session.id}`, { name: " second " });
    expect(renamed.body).toMatchObject({ session: { name: "second" } });
    expect((await server.call("DELETE", `/api/sessions/${session.id}`)).status).toBe(204);
    expect((await server.call("GET", `/api/sessions/${session.id}`)).status).toBe(404);
  });

  it("[H2] wrong input is 400 in words, an unknown session 404", async () => {
    await using server = await useSharedActor();
    const wrong = [
      [{ worker: "nobody" }, "unknown_worker", 'no agent "nobody"'],
      [{ cwd: "/no/such/dir" }, "bad_directory", "The directory /no/such/dir does not exist"],
      [{ cwd: "/usr" }, "bad_directory", "outside the directories"],
      [{ cwd: 5 }, "bad_request", "cwd: expected string"],
      [{ colour: "red" }, "bad_request", "unknown field colour"],
    ] as const;
    for (const [wish, code, words] of wrong) {
      const { status, body } = await server.call("POST", "/api/sessions", wish);
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: { code } });
      expect(JSON.stringify(body)).toContain(JSON.stringify(words).slice(1, -1));
    }
    const missing = await server.call("GET", "/api/sessions/nope");
    expect(missing).toMatchObject({ status: 404, body: { error: { code: "no_such_session" } } });
    expect(
      (await server.call("PATCH", `/api/sessions/${await createSession(server)}`, { name: "  " })).status,
    ).toBe(400);
    expect((await server.call("GET", "/api/nothing")).body).toMatchObject({ error: { code: "not_found" } });
  });

  it("[H3] a link out of the allowed directories is no way out of them", async () => {
    await using server = await startActor();
    symlinkSync("/usr", join(server.cwd, "way-out"));
    const { status } = await server.call("POST", "/api/sessions", { cwd: "way-out" });
    expect(status).toBe(400);
    mkdirSync(join(server.cwd, "inside"));
    const inside = await server.call("POST", "/api/sessions", { cwd: "inside" });
    expect(inside.body).toMatchObject({ session: { cwd: join(server.cwd, "inside") } });
  });

  it("[H4] a body that is no JSON, or too large, is refused", async () => {
    await using server = await useSharedActor();
    const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
    const post = (body: string) =>
      fetch(new URL("/api/sessions", server.url), { method: "POST", headers, body });
    expect((await post("{")).status).toBe(400);
    expect((await post(JSON.stringify({ name: "x".repeat(2_000_000) }))).status).toBe(413);
  });

  it("[H5] messages and exports hold what was said", async () => {
    await using server = await useSharedActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "say <script>alert(1)</script>" });
    await viewer.until(() => viewer.frames.at(-1) === '{"type":"done"}');
    const path = `/api/sessions/${String(viewer.session?.id)}`;
    const messages = await server.call("GET", `${path}/messages`);
    expect(messages.body).toMatchObject({
      messages: [{ role: "user" }, { role: "assistant" }],
      seq: viewer.seq,
    });
    expect((await server.call("GET", `${path}/export?format=jsonl`)).text.trim().split("\n")).toHaveLength(2);
    expect((await server.call("GET", `${path}/export?format=md`)).text).toContain("## You");
    const html = (await server.call("GET", `${path}/export?format=html`)).text;
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("<script>");
    expect((await server.call("GET", `${path}/export?format=pdf`)).status).toBe(400);
  });
});

describe("workers", () => {
  it("[H6] lists what can be started, and why the rest cannot", async () => {
    await using server = await useSharedActor();
    const { body } = await server.call("GET", "/api/workers");
    const { workers } = body as {
      workers: { name: string; available: boolean; reason?: string; models?: unknown[] }[];
    };
    expect(workers.find((worker) => worker.name === "builtin")).toMatchObject({
      available: true,
      dialect: "zot",
    });
    expect(workers.find((worker) => worker.name === "builtin")?.models?.length).toBeGreaterThan(0);
    expect(body).toMatchObject({
      workers: expect.arrayContaining([
        expect.objectContaining({
          providers: expect.arrayContaining([
            { name: "anthropic", available: false, variables: ["ANTHROPIC_API_KEY"] },
          ]),
        }),
      ]),
      config_path: expect.stringMatching(/patchbay\.config\.json$/),
    });
    const missing = workers.find((worker) => worker.name === "missing");
    expect(missing?.available).toBe(false);
    expect(missing?.reason).toContain("Install it");
    expect(body).toMatchObject({ default_worker: "actor", default_cwd: server.cwd });
  });
});

describe("usage", () => {
  it("[H7] usage frames become ledger entries, grouped, summed to the nano-dollar, and outlive the session", async () => {
    await using server = await startActor();
    await using viewer = await openSession(server);
    for (let i = 0; i < 3; i++) {
      await viewer.ask({ type: "prompt", message: "usage 10 2 0.0000011" });
      await viewer.until(
        () => viewer.session?.usage.input === 10 * (i + 1) && viewer.session.state === "idle",
      );
    }
    expect(viewer.session?.usage).toMatchObject({ input: 30, output: 6, cost_usd: 0.0000033 });
    await server.call("DELETE", `/api/sessions/${String(viewer.session?.id)}`);
    const { body } = await server.call("GET", "/api/usage?group_by=model,worker");
    expect(body).toMatchObject({
      rows: [
        {
          model: "none",
          worker: "actor",
          input: 30,
          output: 6,
          cache_read: 0,
          cache_write: 0,
          cost_usd: 0.0000033,
          unpriced: 0,
        },
      ],
      total: { input: 30, output: 6, cache_read: 0, cache_write: 0, cost_usd: 0.0000033, unpriced: 0 },
    });
    const csv = (await server.call("GET", "/api/usage.csv?group_by=day")).text.split("\r\n");
    expect(csv[0]).toBe(
      "day,input,output,cache_read,cache_write,cost_usd,unpriced,thinking,calls,estimated,low_usd,high_usd",
    );
    expect(csv[1]).toContain(",30,6,0,0,0.0000033,0,0,3,0,0.0000033,0.0000033");
    const none = await server.call("GET", "/api/usage?from=2001-01-01&to=2001-01-02");
    expect(none.body).toMatchObject({ rows: [], total: { input: 0 } });
    expect((await server.call("GET", "/api/usage?group_by=mood")).status).toBe(400);
    expect((await server.call("GET", "/api/usage?tz=Middle/Earth")).status).toBe(400);
    const here = await server.call("GET", `/api/usage?worker=actor&cwd=${encodeURIComponent(server.cwd)}`);
    expect(here.body).toMatchObject({ total: { calls: 3, input: 30 } });
    expect((await server.call("GET", "/api/usage?worker=another")).body).toMatchObject({
      total: { calls: 0 },
    });
    const turns = await server.call("GET", "/api/usage/turns?limit=2");
    expect(turns.body).toMatchObject({
      turns: [
        { worker: "actor", calls: 1, cost_usd: 0.0000011 },
        { worker: "actor", calls: 1, cost_usd: 0.0000011 },
      ],
    });
    for (const from of ["yesterday", "2026-11-18T09:30", "2026-02-30", "+500000-01-01", "1"]) {
      const { status, text } = await server.call("GET", `/api/usage?from=${encodeURIComponent(from)}`);
      expect([from, status]).toEqual([from, 400]);
      expect(text).toContain("a time with its offset such as");
    }
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Pacific/Kiritimati" }).format();
    const inZone = await server.call("GET", `/api/usage/turns?from=${today}&tz=Pacific/Kiritimati`);
    expect(inZone.body).toMatchObject({ turns: [{}, {}, {}] });
    const zone = "tz=Asia%2FKathmandu";
    expect((await server.call("GET", `/api/usage/summary?${zone}&worker=actor`)).body).toMatchObject({
      today: { calls: 3, cost_usd: 0.0000033 },
      month: { calls: 3 },
    });
    expect((await server.call("GET", "/api/usage/sessions")).body).toMatchObject({
      sessions: [{ name: null, turns: 3, calls: 3, cost_usd: 0.0000033 }],
    });
    expect((await server.call("GET", "/api/usage/distribution")).body).toMatchObject({ turns: 3 });
    expect((await server.call("GET", "/api/usage/now")).body).toMatchObject({
      cost_usd_per_hour: expect.closeTo(0.0000198, 9),
      sessions: [],
    });
    expect((await server.call("GET", "/api/usage/sessions?limit=0")).status).toBe(400);
  });

  it("[H8] [H23] metrics are Prometheus text, and those that the Grafana dashboard names are there", async () => {
    await using server = await startActor();
    await using viewer = await openSession(server);
    await viewer.ask({ type: "prompt", message: "usage 10 2 0.5" });
    await viewer.until(() => viewer.session?.usage.input === 10);
    const { text } = await server.call("GET", "/metrics");
    expect(text).toMatch(/^patchbay_viewers 1$/m);
    const labels = 'provider="fixture",model="none",worker="actor"';
    expect(text).toContain(`\npatchbay_cost_dollars_total{${labels}} 0.5\n`);
    expect(text).toContain(`\npatchbay_tokens_total{${labels},kind="input"} 10\n`);
    expect(text).toContain("# TYPE patchbay_cost_dollars_total counter\n");
    const dashboard: unknown = JSON.parse(
      readFileSync(join(repository, "docs/grafana/patchbay.json"), "utf8"),
    );
    const named = [...new Set(JSON.stringify(dashboard).match(/patchbay_\w+/g))];
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([]);
  });
});

describe("the page's files", () => {
  it("[X13] are sent compressed to whoever takes that, and as they are to everybody else", async () => {
    await using server = await startActor();
    const directory = join(repository, "dist/web/assets");
    const name = readdirSync(directory).find((file) => /^index-.*\.js$/.test(file)) ?? "";
    const plain = readFileSync(join(directory, name));
    const ask = async (encodings: string): Promise<[IncomingMessage, Buffer]> => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { "accept-encoding": encodings };
        get(`${server.url}/assets/${name}`, { headers }, resolve).on("error", reject);
      });
      return [response, await buffer(response)];
    };
    for (const [encodings, encoding, decode] of [
      ["identity", undefined, (bytes: Buffer) => bytes],
      ["gzip", "gzip", gunzipSync],
      ["gzip, br", "br", brotliDecompressSync],
    ] as const) {
      const [response, bytes] = await ask(encodings);
      expect(response.headers).toMatchObject({
        vary: "accept-encoding",
        "cache-control": "public, max-age=31536000, immutable",
        "content-type": expect.stringContaining("javascript"),
      });
      expect(response.headers["content-encoding"]).toBe(encoding);
      expect(decode(bytes).equals(plain)).toBe(true);
      if (encoding !== undefined) expect(bytes.length).toBeLessThan(plain.length / 2);
    }
  });
});

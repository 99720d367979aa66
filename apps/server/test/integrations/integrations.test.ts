// Webhooks and spans, to a real receiver.
import { createHmac } from "node:crypto";
import { type Received, startReceiver } from "@patchbay/testing/receiver";
import { describe, expect, it } from "vitest";
import { readOtlp, readWebhooks } from "../../src/config/integrations-config.ts";
import type { IntegrationEvent } from "../../src/integrations/events.ts";
import { Otlp } from "../../src/integrations/otlp.ts";
import { Webhooks } from "../../src/integrations/webhooks.ts";
import type { Store } from "../../src/store/store.ts";
import { openSession, startActor } from "../support/actor.ts";
import { openStore } from "../support/open-store.ts";

const secret = "whsec_c2VjcmV0IG9mIHRoZSBob29r";
const event = (type: IntegrationEvent["type"] = "budget.warning"): IntegrationEvent => ({
  type,
  time: "2026-05-01T00:00:00.000Z",
  data: { budget: "b" },
});

/** As a receiver would. */
function isSigned({ headers, body }: Received): boolean {
  const key = Buffer.from(secret.slice(6), "base64");
  const time = String(headers["webhook-timestamp"]);
  const mac = createHmac("sha256", key).update(`${String(headers["webhook-id"])}.${time}.${body}`);
  const fresh = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  return fresh && headers["webhook-signature"] === `v1,${mac.digest("base64")}`;
}

function webhooks(store: Store, url: string, warnings: object[] = [], retryMs = [1, 1, 1]): Webhooks {
  const hooks = [{ url, secret, events: ["budget.warning", "turn.done"] as const }];
  const log = { warn: (details: object) => warnings.push(details) };
  return new Webhooks({ hooks, store, log, version: "1", retryMs });
}

describe("webhooks", () => {
  it("[H30] are signed, sent again until they are taken, and only for the events that were asked for", async () => {
    await using opened = await openStore();
    await using receiver = await startReceiver();
    const hooks = webhooks(opened.store, `${receiver.url}/hook?key=1`);
    receiver.refuse(503, 500);
    hooks.send(event("budget.exceeded"));
    hooks.send(event());
    await receiver.until(() => receiver.received.length === 3);
    await expect.poll(() => opened.store.deliveries()).toEqual([]);
    await hooks.close();
    expect(receiver.received.every(isSigned)).toBe(true);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(receiver.received[2]).toMatchObject({
      path: "/hook?key=1",
      json: { type: "budget.warning", timestamp: "2026-05-01T00:00:00.000Z", data: { budget: "b" } },
    });
  });

  it("[H31] are given up after the last attempt, which is logged without the address", async () => {
    await using opened = await openStore();
    await using receiver = await startReceiver();
    receiver.refuse(500, 302, 500, 500);
    const warnings: object[] = [];
    const hooks = webhooks(opened.store, `${receiver.url}/secret-path`, warnings);
    hooks.send(event());
    await receiver.until(() => receiver.received.length === 4);
    await expect.poll(() => warnings).toMatchObject([{ attempts: 4, problem: "status 500" }]);
    expect(JSON.stringify(warnings)).not.toContain("secret-path");
    await hooks.close();
    expect(await opened.store.deliveries()).toEqual([]);
  });

  it("[H32] survive a restart of the server", async () => {
    await using opened = await openStore();
    await using receiver = await startReceiver();
    receiver.refuse(503);
    const hooks = webhooks(opened.store, receiver.url, [], [60_000]);
    hooks.send(event());
    await receiver.until(() => true);
    await expect.poll(async () => (await opened.store.deliveries())[0]?.attempts).toBe(1);
    await hooks.close();
    const [waiting] = await opened.store.deliveries();
    const store = await opened.reopen();
    if (waiting !== undefined) await store.saveDelivery({ ...waiting, next_at: 0 }); // its time has come
    const after = webhooks(store, receiver.url);
    await after.start();
    await receiver.until(() => receiver.received.length === 2);
    await after.close();
    expect(receiver.received[1]?.headers["webhook-id"]).toBe(receiver.received[0]?.headers["webhook-id"]);
  });

  it("[H33] need a secret, which is not in the config file", () => {
    const hook = { url: "https://example.org/", events: ["turn.done" as const] };
    const read = (more: object, env = {}) => readWebhooks([{ ...hook, ...more }], env, (path) => path);
    expect(() => read({})).toThrow("webhooks.0 in patchbay.config.json needs secret_env or secret_file");
    expect(() => read({ secret_env: "HOOK_SECRET" })).toThrow("HOOK_SECRET is empty");
    expect(() => read({ secret_file: "/no/such/file" })).toThrow("cannot read the secret in /no/such/file");
    expect(read({ secret_env: "HOOK_SECRET" }, { HOOK_SECRET: "s" })).toMatchObject([{ secret: "s" }]);
  });
});

interface Spanned {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number; message?: string };
  attributes: { key: string; value: Record<string, string | number> }[];
}

const spansIn = (received: readonly Received[]): Spanned[] =>
  received
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(
      ({ json }) => (json as { resourceSpans: { scopeSpans: { spans: Spanned[] }[] }[] }).resourceSpans,
    )
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

const attribute = (span: Spanned | undefined, name: string): unknown =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0];

describe("a server", () => {
  it("[H34] [H35] tells webhooks of turns and questions, and a collector of calls, tools and turns", async () => {
    await using receiver = await startReceiver();
    await using server = await startActor(
      { webhooks: [{ url: `${receiver.url}/hook`, secret_env: "HOOK_SECRET" }] },
      {
        HOOK_SECRET: secret,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc",
        OTEL_SERVICE_NAME: "agents",
      },
    );
    const told = (type: string) =>
      receiver.until(({ path, json }) => path === "/hook" && (json as { type: string }).type === type);
    await using viewer = await openSession(server, { name: "Told" });
    const frames = [
      { type: "tool_call", id: "t1", name: "bash", args: {} },
      { type: "tool_result", id: "t1", is_error: true, content: [] },
      { type: "usage", input: 10, output: 2, cache_read: 30, cache_write: 0, cost_usd: 0.5, thinking: 1 },
    ];
    await viewer.ask({ type: "prompt", message: `frames ${JSON.stringify(frames)}` });
    const done = await told("turn.done");
    expect(isSigned(done)).toBe(true);
    expect(done.json).toMatchObject({
      data: {
        session: { name: "Told", worker: "actor", path: expect.stringContaining("/sessions/") },
        turn: { calls: 1, input: 40, output: 2, cost_usd: 0.5, unpriced: 0 },
      },
    });
    await viewer.ask({ type: "prompt", message: "ask" });
    expect((await told("session.needs_you")).json).toMatchObject({ data: { question: { title: "Sure?" } } });
    viewer.send({ type: "extension_ui_response", id: "q1", confirmed: true });
    await viewer.until(() => viewer.session?.state === "idle");
    await viewer.ask({ type: "prompt", message: "crash" });
    const failed = await told("turn.failed");
    expect(JSON.stringify(failed.json)).toContain("exit code 3");
    expect(receiver.received.map(({ body }) => body).join()).not.toContain("frames ["); // nor any prompt

    await receiver.until(() =>
      spansIn(receiver.received).some(({ status }) => status.message?.includes("exit code 3")),
    );
    const spans = spansIn(receiver.received);
    const [call] = spans.filter(({ name }) => name === "chat none");
    const [tool] = spans.filter(({ name }) => name === "execute_tool bash");
    const turn = spans.find(({ spanId }) => spanId === call?.parentSpanId);
    expect(turn?.name).toBe("invoke_agent actor");
    expect([call?.traceId, tool?.traceId]).toEqual([turn?.traceId, turn?.traceId]);
    expect(tool?.status.code).toBe(2);
    expect(attribute(call, "gen_ai.operation.name")).toBe("chat");
    expect(attribute(call, "gen_ai.provider.name")).toBe("fixture");
    expect(attribute(call, "gen_ai.request.model")).toBe("none");
    expect(attribute(call, "gen_ai.usage.input_tokens")).toBe("40");
    expect(attribute(call, "gen_ai.usage.cache_read.input_tokens")).toBe("30");
    expect(attribute(call, "patchbay.cost_usd")).toBe(0.5);
    expect(BigInt(turn?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(call?.endTimeUnixNano ?? 0));
    const traces = receiver.received.find(({ path }) => path === "/v1/traces");
    expect(traces?.headers.authorization).toBe("Bearer abc");
    expect(traces?.body).toContain('{"key":"service.name","value":{"stringValue":"agents"}}');
  });
});

describe("a server, of costs", () => {
  it("[H38] what nobody knows is nowhere told as nothing", async () => {
    await using receiver = await startReceiver();
    await using server = await startActor(
      { webhooks: [{ url: `${receiver.url}/hook`, secret_env: "HOOK_SECRET" }] },
      { HOOK_SECRET: secret, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
    );
    await using viewer = await openSession(server);
    const tokens = { input: 10, output: 2, cache_read: 0, cache_write: 0, cost_usd: 0 };
    const frames = [
      { type: "usage", ...tokens }, // as agents write it that do not know a price
      { type: "usage", ...tokens, unpriced: 1, incomplete: true },
    ];
    await viewer.ask({ type: "prompt", message: `frames ${JSON.stringify(frames)}` });
    const done = await receiver.until(({ path }) => path === "/hook");
    expect(done.json).toMatchObject({ data: { turn: { calls: 2, cost_usd: 0, unpriced: 2 } } });
    await receiver.until(() => spansIn(receiver.received).length === 3);
    const spans = spansIn(receiver.received);
    expect(spans.map((span) => attribute(span, "patchbay.cost_usd"))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(new Set(spans.map((span) => attribute(span, "patchbay.price")))).toEqual(
      new Set(["none", "incomplete", undefined]),
    );
    const csv = (await server.call("GET", "/api/usage.csv?group_by=model")).text;
    expect(csv.split("\r\n")[1]).toBe("none,20,4,0,0,,2,0,2,0,,");
    const metrics = (await server.call("GET", "/metrics")).text;
    expect(metrics).not.toMatch(/^patchbay_cost_dollars_total\{/m);
    expect(metrics).toMatch(/^patchbay_unpriced_calls_total\{.*\} 2$/m);
    const { body } = await server.call("GET", "/api/usage/now");
    expect(body).toMatchObject({ unpriced: 2, sessions: [{ cost_usd: 0, unpriced: 2, unpriced_so_far: 2 }] });
  });

  it("[H39] webhooks are told of a soft budget's warning and of its limit", async () => {
    await using receiver = await startReceiver();
    await using server = await startActor(
      {
        webhooks: [
          {
            url: `${receiver.url}/hook`,
            secret_env: "HOOK_SECRET",
            events: ["budget.warning", "budget.exceeded"],
          },
        ],
        budgets: [{ name: "soft", scope: "everything", period: "day", limit_usd: 1 }],
      },
      { HOOK_SECRET: secret },
    );
    await using viewer = await openSession(server);
    const told = async (dollars: number, type: string): Promise<Received> => {
      await viewer.ask({ type: "prompt", message: `usage 10 1 ${dollars}` });
      return receiver.until(({ json }) => (json as { type: string }).type === type);
    };
    const warning = await told(0.9, "budget.warning");
    expect(isSigned(warning)).toBe(true);
    expect(warning.json).toMatchObject({
      data: {
        message: 'The budget "soft" is at 90 %: $0.9000 of $1.00 today.',
        session: viewer.session?.id,
        budget: { name: "soft", kind: "soft", status: [{ spent_usd: 0.9, state: "warned" }] },
      },
    });
    const exceeded = await told(0.2, "budget.exceeded");
    expect(exceeded.json).toMatchObject({ data: { budget: { status: [{ state: "over" }] } } });
    await told(0.1, "budget.exceeded"); // told once: the first is found again
    expect(receiver.received).toHaveLength(2);
  });
});

describe("spans", () => {
  const span = { traceId: "a", spanId: "b", name: "n", kind: "client", attributes: {} } as const;

  it("[H36] are sent again to a collector that is busy, and given up when it refuses", async () => {
    await using receiver = await startReceiver();
    const warnings: object[] = [];
    const log = { warn: (details: object) => warnings.push(details) };
    const target = { url: `${receiver.url}/v1/traces`, headers: {}, resource: {} };
    const otlp = new Otlp({ ...target, version: "1", log, batchMs: 1, retryMs: [1, 1] });
    receiver.refuse(503, 204, 400);
    otlp.add({ ...span, started: 1, ended: 2 });
    await receiver.until(() => receiver.received.length === 2);
    otlp.add({ ...span, started: 3, ended: 4 });
    await otlp.close();
    expect(receiver.received).toHaveLength(3);
    expect(warnings).toEqual([{ spans: 1, problem: "status 400" }]);
  });

  it("[H37] go where OpenTelemetry's variables say, else where the config file does, else nowhere", () => {
    expect(readOtlp(undefined, {})).toBeUndefined();
    expect(readOtlp("http://a:4318/", {})?.url).toBe("http://a:4318/v1/traces");
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://b", OTEL_RESOURCE_ATTRIBUTES: "deployment=x%20y,bad" };
    expect(readOtlp("http://a:4318", env)).toMatchObject({
      url: "http://b/v1/traces",
      resource: { deployment: "x y", "service.name": "patchbay" },
    });
    expect(readOtlp(undefined, { ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c/x" })?.url).toBe(
      "http://c/x",
    );
    expect(readOtlp(undefined, { ...env, OTEL_SDK_DISABLED: "true" })).toBeUndefined();
    expect(() => readOtlp("grpc://a", {})).toThrow("must be an http address");
  });
});

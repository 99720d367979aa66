// Prices through the real server: a worker that does not know what its calls cost.
import { expect, it } from "vitest";
import { openSession, startActor } from "../../support/actor.ts";

const unpriced = {
  type: "usage",
  input: 1_000,
  output: 10,
  cache_read: 0,
  cache_write: 0,
  cost_usd: 0,
  unpriced: 1,
};

it("[U6] a call that the catalog prices has its price in session, transcript, ledger and answers alike", async () => {
  await using server = await startActor({
    prices: { overrides: { "*/none": { input: 2, output: 10 } } },
  });
  await using viewer = await openSession(server);
  await viewer.ask({ type: "prompt", message: `frames ${JSON.stringify([unpriced, unpriced])}` });
  await viewer.until(() => viewer.session?.state === "idle" && viewer.session.usage.cost_usd === 0.0042);
  await viewer.until(() => viewer.transcript.usage.cost_usd === 0.0042);
  expect(viewer.session?.usage).not.toHaveProperty("unpriced");
  expect(viewer.transcript.usage).not.toHaveProperty("unpriced");
  expect(viewer.transcript.marks.find(({ kind }) => kind === "turn")).toMatchObject({
    usage: { cost_usd: 0.0042, input: 2_000 },
  });
  const told = viewer.frames.map((text) => JSON.parse(text)).filter(({ type }) => type === "priced");
  expect(told).toMatchObject([{ cost_usd: 0.0021, price: "override */none" }, { cost_usd: 0.0021 }]);
  const usage = await server.call("GET", "/api/usage");
  expect(usage.body).toMatchObject({ total: { cost_usd: 0.0042, unpriced: 0, calls: 2 } });

  const { body } = await server.call("GET", "/api/prices?model=none");
  expect(body).toMatchObject({ catalog: { source: null }, repricings: [], price: null });
  const wish = { reason: "nothing is different", dry_run: true };
  expect((await server.call("POST", "/api/prices/reprice", wish)).body).toMatchObject({
    dry_run: true,
    repricing: { entries: 0, by: "owner", query: { sources: ["catalog", "override", "none", "incomplete"] } },
  });
  expect((await server.call("POST", "/api/prices/reprice", { dry_run: true })).status).toBe(400);
});

const { unpriced: _unpriced, ...nothing } = unpriced;

it("[U32] a worker's price of nothing for tokens is no price; `free` makes it one", async () => {
  await using server = await startActor({ prices: { overrides: { "*/local": "free" } } });
  await using viewer = await openSession(server);
  const local = { ...nothing, provider: "home", model: "local" };
  await viewer.ask({ type: "prompt", message: `frames ${JSON.stringify([nothing, local])}` });
  await viewer.until(() => viewer.session?.state === "idle" && viewer.session.usage.input === 2_000);
  await viewer.until(() => viewer.frames.some((text) => JSON.parse(text).type === "priced"));
  expect(viewer.session?.usage).toMatchObject({ cost_usd: 0, unpriced: 1 });
  expect(viewer.transcript.usage).toMatchObject({ cost_usd: 0, unpriced: 1 });
  expect(viewer.transcript.marks.find(({ kind }) => kind === "turn")).toMatchObject({
    usage: { cost_usd: 0, unpriced: 1 },
  });
  const usage = await server.call("GET", "/api/usage?group_by=provider,model");
  expect(usage.body).toMatchObject({
    rows: [
      { provider: "fixture", model: "none", calls: 1, unpriced: 1 },
      { provider: "home", model: "local", calls: 1, unpriced: 0 },
    ],
    total: { calls: 2, cost_usd: 0, unpriced: 1 },
  });
});

it("[U33] where the operator's price goes before the worker's, the turn shows it too", async () => {
  await using server = await startActor({
    prices: { overrides: { "*/none": { input: 2, output: 10, always: true } } },
  });
  await using viewer = await openSession(server);
  const told = { ...nothing, cost_usd: 5 };
  await viewer.ask({ type: "prompt", message: `frames ${JSON.stringify([told, told])}` });
  await viewer.until(() => viewer.session?.state === "idle" && viewer.transcript.usage.cost_usd === 0.0042);
  expect(viewer.session?.usage).toMatchObject({ cost_usd: 0.0042 });
  expect(viewer.transcript.marks.find(({ kind }) => kind === "turn")).toMatchObject({
    usage: { cost_usd: 0.0042 },
  });
});

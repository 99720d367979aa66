// A key that is entered in the page is in use at once, and is nowhere to be read.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeModel } from "@patchbay/testing/fake-model";
import { startServer } from "@patchbay/testing/server-process";
import { expect, it } from "vitest";
import { attach, openSession } from "../../support/actor.ts";

const key = "sk-ant-a-key-of-this-test-wxyz";

it("[W220] [X221] a key of the page is used at once, by new and by idle sessions, and nothing shows it", async () => {
  await using model = await startFakeModel();
  await using server = await startServer({ config: { agent: { approvals: "full" } } });
  await using idle = await openSession(server);
  expect(idle.session).toMatchObject({ provider: "demo" });
  expect((await server.call("PATCH", "/api/safety", { approvals: "ask" })).status).toBe(409);
  const wrong = await server.call("PATCH", "/api/keys/anthropic", { key: `${key}\nX: y` });
  expect([wrong.status, wrong.text.includes(key)]).toEqual([400, false]);
  expect((await server.call("PATCH", "/api/keys/nobody", { key })).status).toBe(400);

  const base_url = `${model.baseUrl}/anthropic`;
  const tested = await server.call("POST", "/api/keys/anthropic/test", { key, base_url });
  expect(tested.body).toMatchObject({ test: { outcome: "works", models: 1 } });
  const saved = await server.call("PATCH", "/api/keys/anthropic", { key, base_url });
  expect(saved.body).toMatchObject({ sessions_with_old_keys: 0 });
  await idle.state("stopped");

  const { body } = await server.call("GET", "/api/workers");
  expect(JSON.stringify(body)).toMatch(/"provider":"anthropic"[^}]*"price":\{"input":[\d.]+,"output"/);
  await using fresh = await openSession(server);
  expect(fresh.session).toMatchObject({ provider: "anthropic" });
  await fresh.ask({ type: "prompt", message: "hello" });
  await fresh.until(() => fresh.transcript.marks.some((mark) => mark.kind === "turn"));
  expect(model.requests.at(-1)?.headers["x-api-key"]).toBe(key);
  const { pid } = fresh.session ?? {};
  for (const file of ["environ", "cmdline"])
    expect(readFileSync(`/proc/${pid}/${file}`, "utf8")).not.toContain(key);

  // The idle session goes on with the model that it had, and knows the new ones.
  await idle.ask({ type: "prompt", message: "hello again" });
  await idle.until(() => idle.transcript.marks.some((mark) => mark.kind === "turn"));
  const { data } = await idle.ask({ type: "get_available_models" });
  expect(JSON.stringify(data)).toContain('"provider":"anthropic"');

  const answers = await Promise.all(
    ["/api/keys", "/api/workers", "/metrics", `/api/sessions/${String(fresh.session?.id)}/messages`].map(
      (path) => server.call("GET", path),
    ),
  );
  for (const { text } of [saved, tested, ...answers]) expect(text).not.toContain(key);
  expect(server.stderr()).not.toContain(key);
  expect(readFileSync(join(server.home, ".patchbay/provider-keys.json"), "utf8")).not.toContain(key);

  // It outlives the server; removed, it is gone for workers that start then.
  await server.kill();
  await server.start();
  expect((await server.call("GET", "/api/keys")).text).toContain('"ending":"wxyz"');
  expect((await server.call("DELETE", "/api/keys/anthropic")).status).toBe(200);
  await using last = await openSession(server);
  expect(last.session).toMatchObject({ provider: "demo" });
  await using again = await attach(server, String(fresh.session?.id));
  expect(await again.ask({ type: "prompt", message: "still there?" })).toMatchObject({ success: false });
});

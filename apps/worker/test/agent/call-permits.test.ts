// Permits for model calls: asked for only when the server requires them, and no call without one.
import { expect, it } from "vitest";
import { only, shape, startRig } from "../rig.ts";

it("[U74] with `require_permits` each call waits for its permit, retries too; denied, the turn ends with the reason", async () => {
  await using rig = await startRig();
  const { worker, model } = rig;
  await worker.ask({ type: "require_permits", required: true });
  model.reply({ status: 503 }, { text: "ok" });
  await worker.ask({ type: "prompt", message: "hi" });
  const asked = await worker.next("call_permit_request");
  expect(asked).toMatchObject({ provider: "anthropic", priced: true, input: expect.any(Number) });
  expect(Number(asked["input"])).toBeGreaterThan(100); // the system prompt and the tools count
  expect(Number(asked["max_output"])).toBeGreaterThan(1_000);
  expect(model.requests).toHaveLength(0);
  worker.send({ type: "call_permit", id: "another", allowed: true });
  worker.send({ type: "call_permit", id: String(asked["id"]), allowed: true });
  const again = await worker.next("call_permit_request");
  expect(model.requests).toHaveLength(1);
  worker.send({
    type: "call_permit",
    id: String(again["id"]),
    allowed: false,
    reason: "the budget is used up",
  });
  expect(await worker.next("turn_end")).toMatchObject({ stop: "aborted", error: "the budget is used up" });
  await worker.next("done");
  expect(model.requests).toHaveLength(1);
  expect(only(worker.frames, "usage")).toEqual([]);

  // Aborted while it waits.
  await worker.ask({ type: "prompt", message: "hi" });
  await worker.next("call_permit_request");
  await worker.ask({ type: "abort" });
  expect(await worker.next("turn_end")).toMatchObject({ stop: "aborted", error: "context canceled" });
  await worker.next("done");

  // When permits are no longer required, a call that waits is made.
  await worker.ask({ type: "prompt", message: "hi" });
  await worker.next("call_permit_request");
  await worker.ask({ type: "require_permits", required: false });
  expect(await worker.next("turn_end")).toMatchObject({ stop: "end" });
  await worker.next("done");
  expect(shape(await worker.prompt("hi"))).not.toContain("call_permit_request");
});

it("[U74] a worker that waits for a permit ends with its input", async () => {
  await using rig = await startRig();
  await rig.worker.ask({ type: "require_permits", required: true });
  await rig.worker.ask({ type: "prompt", message: "hi" });
  await rig.worker.next("call_permit_request");
  rig.worker.closeInput();
  expect(await rig.worker.exit).toMatchObject({ code: 0 });
  expect(rig.model.requests).toHaveLength(0);
});

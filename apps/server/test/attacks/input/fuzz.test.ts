// The fuzzer, for some seconds: `npm run fuzz -- --minutes 10 --seed N` does the same for longer.
import { runFuzz } from "@patchbay/testing/fuzz";
import { expect, it } from "vitest";
import { newSeed } from "../../durability/observe.ts";

it("[Z130] mutated lines of every dialect, a daemon and viewers, and calls of any form: the server survives, and a session beside notices nothing", {
  timeout: 180_000,
}, async () => {
  const report = await runFuzz({ seed: newSeed(), seconds: 15, print: (text) => console.log(text) });
  console.log(JSON.stringify(report));
  expect(report.problems).toEqual([]);
  expect(report.bystander).toBeGreaterThan(5);
  expect(report.prompts).toBeGreaterThan(20);
  expect(report.calls).toBeGreaterThan(20);
});

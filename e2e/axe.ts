// What axe has against a page: everything, with where and why.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What is being loaded again is pale until it is there, and what appears is pale for a moment. */
const isSettled = (): boolean =>
  document.querySelector('[aria-busy="true"]') === null &&
  document
    .getAnimations()
    .every(
      ({ playState, effect }) =>
        playState !== "running" || effect?.getTiming().iterations === Number.POSITIVE_INFINITY,
    );

/** Evaluated, not added as a script: the content security policy would refuse that, as it should. */
export async function violations(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" }); // what appears while axe looks must not be pale
  await page.waitForFunction(isSettled);
  await page.evaluate(axeSource);
  const results = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`).join(" | ")}`,
  );
}

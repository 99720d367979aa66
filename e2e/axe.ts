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

/**
 * Looks again at what was found: a control that becomes usable while axe looks is pale for a moment, and axe reads its state and its
 * colours at different times. What is wrong with the page is still wrong at the second look.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: "reduce" }); // what appears while axe looks must not be pale
  const found = await look(page);
  return found.length === 0 ? found : look(page);
}

/** Evaluated, not added as a script: the content security policy would refuse that, as it should. */
async function look(page: Page): Promise<string[]> {
  await page.waitForFunction(isSettled);
  await page.evaluate(axeSource);
  const results = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary}`).join(" | ")}`,
  );
}

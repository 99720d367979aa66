// What every story starts with: a real server with a home of its own, and the worker it names. The
// built-in worker talks to a fake model on loopback in Anthropic's format, so that calls have prices.
import { test as base, expect, type Page } from "@playwright/test";
import { type FakeModel, startFakeModel } from "../testing/src/fake-model/server.ts";
import { fixtureWorker, type RunningServer, startServer } from "../testing/src/server-process.ts";

interface Story {
  /** demo: no key at all; model: the fake model; otherwise the fixture worker of that name. */
  worker: string;
  model: FakeModel;
  server: RunningServer;
  /** Logs in and starts a session with one click. */
  session: Page;
}

export const test = base.extend<Story>({
  worker: ["model", { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from it
  model: async ({}, use) => {
    await using model = await startFakeModel();
    await use(model);
  },
  server: async ({ worker, model }, use) => {
    const fixture = worker !== "model" && worker !== "demo";
    await using server = await startServer({
      env:
        worker === "model"
          ? { ANTHROPIC_API_KEY: "not-a-real-key", ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic` }
          : { PATCHBAY_DEMO_DELAY_MS: "1" },
      config: {
        limits: worker === "silent" ? { worker_start_ms: 6_000 } : {}, // it never starts
        ...(fixture
          ? {
              default_worker: worker,
              workers: { [worker]: { dialect: "zot", command: fixtureWorker(worker) } },
            }
          : {}),
      },
    });
    await use(server);
  },
  session: async ({ page, server }, use) => {
    await page.goto(await server.loginUrl());
    await startSession(page);
    await use(page);
  },
});

export { expect };

export async function startSession(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Start without a prompt/ }).click();
  await expect(composer(page)).toBeVisible();
}

export const composer = (page: Page) => page.getByRole("textbox", { name: "Prompt" });
export const transcript = (page: Page) => page.getByRole("log", { name: "Transcript" });
export const cost = (page: Page) => page.locator("[data-cost]");
/** The line that ends a turn; by how it ended, when that matters. */
export const turnEnds = (page: Page, stop?: string) =>
  page.locator(stop === undefined ? "[data-turn]" : `[data-turn="${stop}"]`);
export const state = (page: Page, name: string) => page.locator(`[data-session-state="${name}"]`);

export async function prompt(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press("Enter");
}

// Browser stories: each starts its own real server and drives a real Chromium. One retry, on machines we do not know;
// the summary names every story that needed it. `npm run test:strict` has no retry.
import { defineConfig } from "@playwright/test";
import { testLaunch } from "./testing/src/chromium.ts";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./testing/src/build-once.ts",
  workers: 2,
  retries: 1,
  fullyParallel: true,
  forbidOnly: process.env["CI"] !== undefined,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["./testing/src/report/browser-reporter.ts"]],
  use: {
    browserName: "chromium",
    headless: true,
    viewport: { width: 1440, height: 900 },
    colorScheme: "dark",
    serviceWorkers: "block", // but for the story that is about it
    screenshot: "only-on-failure",
    launchOptions: testLaunch,
  },
});

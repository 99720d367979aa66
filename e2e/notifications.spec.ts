// Notifications that the service worker shows. The headless shell has none, so this story runs in the browser that people use.
import { fullLaunch } from "../testing/src/chromium.ts";
import { expect, prompt, startSession, test } from "./story.ts";

test.use({
  launchOptions: fullLaunch,
  serviceWorkers: "allow",
  worker: "actor",
});

test("[L86] where only a service worker may show notifications, it does", async ({
  page,
  server,
  context,
}) => {
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    localStorage.setItem("patchbay.notify", "on");
    document.hasFocus = () => false;
    // As on a phone: known, allowed, and not to be made by a page.
    class Forbidden {
      static readonly permission = "granted";
      constructor() {
        throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.");
      }
    }
    Object.assign(window, { Notification: Forbidden });
  });
  await page.goto(await server.loginUrl());
  await startSession(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await prompt(page, "ask 600000");
  const shown = () =>
    page.evaluate(async () => {
      const notifications = await (await navigator.serviceWorker.ready).getNotifications();
      return notifications.map(({ title, body, data }) => ({ title, body, url: data.url }));
    });
  await expect
    .poll(shown)
    .toEqual([
      { title: expect.stringMatching(/^Needs you: /), body: "Sure?", url: new URL(page.url()).pathname },
    ]);
});

// Somebody who looks elsewhere is told in time: of questions, failures and ends, in any session.
import type { Page } from "@playwright/test";
import { composer, expect, prompt, startSession, state, test } from "./story.ts";

/** A page whose timers do not run, as those of a hidden tab hardly do, and that notes its notifications. */
async function lookElsewhere(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    localStorage.setItem("patchbay.notify", "on");
    document.hasFocus = () => false;
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
    const shown: string[] = [];
    Object.assign(window, {
      shown,
      setInterval: () => 0,
      Notification: class extends EventTarget {
        static readonly permission = "granted";
        constructor(title: string, { body }: { body: string }) {
          super();
          shown.push(`${title} / ${body}`);
        }
      },
    });
  });
  return () => page.evaluate<string[]>("window.shown");
}

test.describe("with a worker that asks", () => {
  test.use({ worker: "actor" });

  test("[L85] a question in another session is told to a hidden page at once", async ({
    session: page,
    context,
  }) => {
    const hidden = await context.newPage();
    const shown = await lookElsewhere(hidden);
    const listening = hidden
      .waitForEvent("websocket", (socket) => socket.url().endsWith("/api/sessions/events"))
      .then((socket) => socket.waitForEvent("framereceived"));
    await hidden.goto(page.url());
    await expect(state(hidden, "idle")).toBeVisible();
    await listening;
    // In another session, with less time than a list that is asked for now and then would need.
    const first = page.url();
    await page.bringToFront(); // one in the background draws once a second
    await page.getByRole("button", { name: "New session", exact: true }).first().click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Start/ })
      .click();
    await expect(page).not.toHaveURL(first);
    await expect(composer(page)).toBeVisible();
    await prompt(page, "ask 10000");
    await expect
      .poll(shown, { timeout: 5_000 })
      .toContainEqual(expect.stringMatching(/^Needs you: .* \/ Sure\?$/));
    await expect(hidden).toHaveTitle(/^\(1\)/);
    await page.getByRole("button", { name: "Yes" }).click();
    await expect.poll(shown).toContainEqual(expect.stringMatching(/^Done: .* \/ The agent is done\.$/));
  });
});

test("[L86] a turn that failed is told as that", async ({ page, server, model }) => {
  model.reply({ status: 401 });
  const shown = await lookElsewhere(page);
  await page.goto(await server.loginUrl());
  await startSession(page);
  await prompt(page, "Do it");
  await expect
    .poll(shown)
    .toContainEqual(expect.stringMatching(/^Failed: .* \/ The turn ended with an error\.$/));
  expect((await shown()).filter((words) => words.startsWith("Done"))).toEqual([]);
});

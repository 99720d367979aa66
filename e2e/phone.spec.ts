// On a phone: a keyboard over the page, a notch beside it, fingers, and a screen reader.
import { writeFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { composer, expect, test, transcript } from "./story.ts";

/** What the keyboard of a small iPhone leaves. */
const seen = 330;

test.use({ viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true });

/** As device/visible-height.ts does where a keyboard covers the page instead of making it smaller. */
const openKeyboard = (page: Page) =>
  page.evaluate(
    (height) => document.documentElement.style.setProperty("--visible-height", `${height}px`),
    seen,
  );

async function isSeen(part: Locator): Promise<void> {
  await part.scrollIntoViewIfNeeded();
  await expect
    .poll(async () => {
      const box = await part.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= seen;
    })
    .toBe(true);
}

const smallestLetters = (page: Page) =>
  page.evaluate(() =>
    Math.min(
      ...[...document.querySelectorAll("input,textarea,select")].map((field) =>
        Number.parseFloat(getComputedStyle(field).fontSize),
      ),
    ),
  );

test.describe("with a keyboard over the page", () => {
  test.use({ worker: "actor" });

  test("[Y94] Send, a question with its field, dialogs, the palette and comments are above it", async ({
    page,
    server,
  }) => {
    writeFileSync(`${server.cwd}/retry.ts`, "export const attempts = 3;\n");
    await page.goto(server.loginUrl);
    await page.getByRole("button", { name: /^Start a session/ }).tap();
    await openKeyboard(page);
    const send = page.getByRole("button", { name: "Send" });
    await composer(page).fill("Line\n".repeat(40));
    await isSeen(send);
    await composer(page).fill('question {"method":"input","title":"Which branch?"}');
    await send.tap();
    const sheet = page.getByRole("region", { name: "The agent asks" });
    await isSeen(sheet.getByRole("textbox", { name: "Which branch?" }));
    await isSeen(sheet.getByRole("button", { name: "Answer" }));
    expect(await smallestLetters(page)).toBeGreaterThanOrEqual(16);
    await sheet.getByRole("textbox").fill("main");
    await sheet.getByRole("button", { name: "Answer" }).tap();
    await expect(transcript(page)).toContainText('"value":"main"');

    const options = Array.from({ length: 12 }, (_, index) => `branch-${index}`);
    await composer(page).fill(`question ${JSON.stringify({ method: "select", title: "Of many?", options })}`);
    await send.tap();
    await isSeen(sheet.getByRole("combobox"));
    await isSeen(sheet.getByRole("option", { name: "branch-11" }));
    await isSeen(sheet.getByRole("button", { name: "Cancel" }));
    expect(await smallestLetters(page)).toBeGreaterThanOrEqual(16);
    await sheet.getByRole("option", { name: "branch-11" }).tap();
    await expect(transcript(page)).toContainText('"value":"branch-11"');

    writeFileSync(`${server.cwd}/retry.ts`, "export const attempts = 5;\n");
    await page.getByRole("link", { name: "Files and changes" }).tap();
    await page
      .getByRole("row", { name: /attempts = 5/ })
      .getByRole("button", { name: "Comment on line 1" })
      .tap();
    await page.getByLabel("Comment to the agent").fill("Four are enough.");
    expect(await smallestLetters(page)).toBeGreaterThanOrEqual(16);
    await page.getByRole("button", { name: "Keep comment" }).tap();
    await isSeen(page.getByRole("button", { name: "Send 1 comment" }));

    await page.goto(server.url);
    await openKeyboard(page);
    await page.getByRole("button", { name: "New session" }).tap();
    const dialog = page.getByRole("dialog", { name: "New session" });
    await isSeen(dialog.getByRole("textbox", { name: "Directory" }));
    await isSeen(dialog.getByRole("button", { name: "Start session" }));
    expect(await smallestLetters(page)).toBeGreaterThanOrEqual(16);
    await dialog.getByRole("button", { name: "Close" }).tap();
    await page.getByRole("button", { name: /^Search, do/ }).tap();
    await isSeen(page.getByRole("option", { name: /^Shortcuts/ }));
  });
});

test.describe("on its side", () => {
  test.use({ viewport: { width: 844, height: 390 } });

  test("[Y94] nothing lies under the notch", async ({ session: page }) => {
    const browser = await page.context().newCDPSession(page);
    await browser.send("Emulation.setSafeAreaInsetsOverride", {
      insets: { left: 44, right: 44, bottom: 21 },
    });
    const list = page.getByRole("navigation", { name: "Sessions" });
    const left = async () => (await list.getByRole("button", { name: "New session" }).boundingBox())?.x ?? 0;
    await expect.poll(left).toBeGreaterThanOrEqual(44);
    const send = await page.getByRole("form", { name: "Prompt" }).boundingBox();
    expect((send?.x ?? 0) + (send?.width ?? 844)).toBeLessThanOrEqual(844 - 44);
  });
});

// On a phone: a keyboard over the page, a notch beside it, fingers, and a screen reader.
import { writeFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { composer, expect, test, transcript, turnEnds } from "./story.ts";

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
    await page.goto(await server.loginUrl());
    await page.getByRole("button", { name: /^Start without a prompt/ }).tap();
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
    await page.getByRole("button", { name: "Files and changes" }).tap();
    await page.getByRole("button", { name: /retry\.ts/ }).tap();
    await page
      .getByRole("row", { name: /attempts = 5/ })
      .getByRole("button", { name: "Comment on line 1" })
      .tap();
    await page.getByLabel("Comment for the agent").fill("Four are enough.");
    expect(await smallestLetters(page)).toBeGreaterThanOrEqual(16);
    await page.getByRole("button", { name: "Add comment" }).tap();
    await isSeen(page.getByRole("button", { name: "Send 1 comment" }));
    // [P284] The files are a screen of their own, with the way back to the session.
    await expect(composer(page)).toBeHidden();
    await page.getByRole("button", { name: "Back to the session" }).tap();
    await expect(composer(page)).toBeVisible();

    await page.goto(server.url);
    await openKeyboard(page);
    await page.getByRole("button", { name: "More options" }).tap();
    const dialog = page.getByRole("dialog", { name: "New session" });
    await isSeen(dialog.getByRole("button", { name: /^Directory/ }));
    await isSeen(dialog.getByRole("textbox", { name: "First prompt" }));
    await isSeen(dialog.getByRole("button", { name: "Start session" }));
    expect(await smallestLetters(page)).toBeGreaterThanOrEqual(16);
    await dialog.getByRole("button", { name: "Close" }).tap();
    await page.getByRole("button", { name: /^Search or run/ }).tap();
    await isSeen(page.getByRole("option", { name: /^Keyboard shortcuts/ }));
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: /question/ }).tap();
    await expect(composer(page)).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("option", { name: "Details" })).toBeVisible();
    await expect(page.getByRole("option", { name: "Split view…" })).toBeHidden(); // there is room for one
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
    const left = async () =>
      (await list.getByRole("button", { name: "New session", exact: true }).boundingBox())?.x ?? 0;
    await expect.poll(left).toBeGreaterThanOrEqual(44);
    const send = await page.getByRole("form", { name: "Prompt" }).boundingBox();
    expect((send?.x ?? 0) + (send?.width ?? 844)).toBeLessThanOrEqual(844 - 44);
  });
});

test.describe("with fingers", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("[Y96] what is copied over plain http is copied, and everything can be used", async ({
    page,
    server,
    model,
  }) => {
    // A page that no certificate vouches for has no clipboard of its own.
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined }),
    );
    await page.goto(await server.loginUrl());
    await page.getByRole("button", { name: /^Start without a prompt/ }).tap();
    model.reply(
      {
        thinking: "Hm.",
        text: "Look:\n\n```ts\nexport const a = 1;\n```",
        toolCalls: [
          { name: "bash", args: { command: "echo one" } },
          { name: "bash", args: { command: "exit 3" } },
        ],
      },
      { text: "Done." },
    );
    await composer(page).fill("Show everything");
    await page.getByRole("button", { name: "Send" }).tap();
    await expect(turnEnds(page, "end")).toBeVisible();
    await page.locator('[data-tool="bash"]').first().getByRole("button").first().tap();
    await expect(page.getByRole("group", { name: "Output" })).toContainText("one");
    expect(await violations(page)).toEqual([]);
    const copy = page.getByRole("button", { name: "Copy code" });
    const box = await copy.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await copy.tap();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    await composer(page).focus();
    await page.keyboard.press("Control+v");
    await expect(composer(page)).toHaveValue("export const a = 1;");
    await page.evaluate(() => {
      document.execCommand = () => false;
    });
    await copy.tap();
    await expect(page.getByRole("alert").filter({ hasText: "copy it yourself" })).toBeVisible();
    await page.getByRole("link", { name: "Back to the list" }).tap();
    await expect(page.getByRole("navigation", { name: "Sessions" })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
});

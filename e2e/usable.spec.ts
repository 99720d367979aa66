// Usable by everyone: with the keyboard alone, on a phone, by screen readers, in light and in dark.
import type { Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { composer, expect, prompt, test, transcript, turnEnds } from "./story.ts";

const busyAnswer = {
  thinking: "Hm.",
  text: "Some `code`, a [link](https://example.com):\n\n```ts\n// why\nexport const a: number = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |",
  toolCalls: [
    { name: "bash", args: { command: "echo red; exit 2" } },
    { name: "write", args: { path: "a.md", content: "# A\n" } },
    { name: "edit", args: { path: "a.md", edits: [{ oldText: "# A", newText: "# B" }] } },
  ],
};

for (const colorScheme of ["dark", "light"] as const) {
  test.describe(colorScheme, () => {
    // Half-faded colours in the middle of an animation are nobody's contrast.
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });

    test("[P290] has no accessibility violations", async ({ page, server, model }) => {
      await page.goto(server.url);
      await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.goto(await server.loginUrl());
      await expect(page.getByRole("button", { name: /^Start without a prompt/ })).toBeEnabled();
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "New session", exact: true }).click();
      await expect(page.getByRole("dialog").getByRole("button", { name: /^Directory/ })).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /^Start without a prompt/ }).click();
      await expect(composer(page)).toBeVisible();
      await expect(page.getByRole("heading", { name: "What should the agent do?" })).toBeVisible();
      expect(await violations(page)).toEqual([]);
      model.reply(busyAnswer, { text: "Done." });
      await prompt(page, "Show everything");
      await expect(turnEnds(page, "end")).toBeVisible();
      for (const tool of ["bash", "write", "edit"]) {
        await page.locator(`[data-tool="${tool}"]`).getByRole("button").first().click();
      }
      await expect(page.locator(".hljs-keyword").first()).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Session menu" }).click();
      await page.getByRole("menuitem", { name: "Details" }).click();
      await expect(page.getByRole("dialog", { name: "Session details" })).toContainText("MB");
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      model.reply({ text: ["Half ", "of it"], hangAfterChunks: 1 });
      await prompt(page, "Be interrupted");
      await expect(transcript(page)).toContainText("Half");
      await prompt(page, "Wait in the queue");
      await expect(page.getByRole("region", { name: "Queue" })).toContainText("Wait in the queue");
      await server.kill();
      await server.start();
      await expect(page.getByRole("button", { name: "Retry", exact: true })).toBeVisible();
      await expect(page.getByRole("button", { name: "Run now" })).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });
  });
}

test("everything can be done with the keyboard alone", async ({ page, server, model }) => {
  await page.goto(await server.loginUrl());
  const start = page.getByRole("button", { name: /^Start without a prompt/ });
  await expect(start).toBeEnabled();
  await tabTo(page, start);
  await page.keyboard.press("Enter");
  await expect(composer(page)).toBeFocused();
  model.reply(
    { text: "Look.", toolCalls: [{ name: "bash", args: { command: "echo by-keyboard" } }] },
    { text: "Seen." },
  );
  await page.keyboard.type("Do it");
  await page.keyboard.press("Enter");
  await expect(turnEnds(page, "end")).toBeVisible();
  const card = page.locator('[data-tool="bash"]').getByRole("button").first();
  await tabTo(page, card);
  await page.keyboard.press("Enter");
  await expect(card).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("group", { name: "Output" })).toContainText("by-keyboard");
  await tabTo(page, page.getByRole("button", { name: "Session menu" }));
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Session menu" })).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Theme" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Light" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

/** Presses Tab until the control has the focus; a control that cannot be reached fails the story. */
async function tabTo(page: Page, control: ReturnType<Page["getByRole"]>): Promise<void> {
  for (let pressed = 0; pressed < 60; pressed++) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("sixty tabs did not reach the control");
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("list and session are two screens, and nothing is wider than the screen", async ({
    page,
    server,
    model,
  }) => {
    await page.goto(await server.loginUrl());
    await page.getByRole("button", { name: /^Start without a prompt/ }).tap();
    await expect(page.getByRole("navigation", { name: "Sessions" })).toBeHidden();
    model.reply({ ...busyAnswer, text: `${busyAnswer.text}\n\n\`${"long".repeat(60)}\`` }, { text: "Done." });
    await composer(page).fill("Show everything");
    await page.getByRole("button", { name: "Send" }).tap();
    await expect(turnEnds(page, "end")).toBeVisible();
    const overflow = await transcript(page).evaluate((element) => element.scrollWidth - element.clientWidth);
    expect(overflow).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const send = await page.getByRole("button", { name: "Send" }).boundingBox();
    expect(Math.min(send?.width ?? 0, send?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await page.getByRole("link", { name: "Back to the list" }).tap();
    await expect(page.getByRole("navigation", { name: "Sessions" })).toBeVisible();
    await expect(composer(page)).toBeHidden();
    await page.getByRole("link", { name: /Show everything/ }).tap();
    await expect(transcript(page)).toContainText("Done.");
  });
});

test("the transcript follows the end until the reader scrolls up", async ({ session: page, model }) => {
  const long = Array.from({ length: 80 }, (_, line) => `Line ${line}\n\n`);
  model.reply({ text: [...long, "The end."], hangAfterChunks: 70 });
  await prompt(page, "Write much");
  await expect(transcript(page).getByText("Line 69")).toBeInViewport();
  await transcript(page).hover();
  await page.mouse.wheel(0, -1_500);
  const jump = page.getByRole("button", { name: "Jump to latest" });
  await expect(jump).toBeVisible();
  model.release();
  await expect(jump).toContainText("1 new"); // the line that ends the turn, which is not on the page yet
  await expect(transcript(page).getByText("The end.")).not.toBeInViewport();
  await jump.click();
  await expect(transcript(page).getByText("The end.")).toBeInViewport();
  await expect(jump).toBeHidden();
});

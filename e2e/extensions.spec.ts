// A real extension beside the built-in worker: its commands complete in the composer, its panel has the keys,
// its questions and statuses are on the page.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../testing/src/server-process.ts";
import { test as base, composer, expect, startSession, transcript } from "./story.ts";

const test = base.extend({
  session: async ({ page, server }, use) => {
    const source = join(repository, "testing/extensions/board");
    cpSync(source, join(server.home, ".patchbay/extensions/board"), { recursive: true });
    await page.goto(await server.loginUrl());
    await startSession(page);
    await use(page);
  },
});

test("commands complete with the keyboard, and a panel has the keys until Esc", async ({ session: page }) => {
  const menu = page.getByRole("listbox", { name: "Commands" });
  await composer(page).fill("/");
  await expect(menu.getByRole("option", { name: /board/ }).first()).toContainText("What is left to do");
  await composer(page).pressSequentially("boa");
  await composer(page).press("Tab");
  await expect(composer(page)).toHaveValue("/board ");
  await expect(menu).toBeHidden();
  await composer(page).press("Enter");
  const panel = page.getByRole("region", { name: "Panel: Board" });
  await expect(panel).toContainText("> [x] write the test");
  await expect(page.getByRole("application", { name: "Board" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(panel).toContainText("> [ ] mend the relay");
  await page.keyboard.press("Space");
  await expect(panel).toContainText("> [x] mend the relay");
  await page.reload();
  await expect(panel).toContainText("> [x] mend the relay");
  await page.getByRole("application", { name: "Board" }).press("Escape");
  await expect(panel).toBeHidden();
  await expect(composer(page)).toHaveValue("");
});

test("a command asks, and its answer becomes a status; another writes into the composer", async ({
  session: page,
}) => {
  await composer(page).fill("/deploy");
  await composer(page).pressSequentially(" docs");
  await composer(page).press("Enter");
  const question = page.getByRole("region", { name: "The agent asks" });
  await expect(question).toContainText("Deploy docs where?");
  await question.getByRole("button", { name: "staging" }).click();
  await expect(page.getByRole("list", { name: "Status" })).toContainText("deployed to staging");
  await expect(transcript(page)).toContainText("Deploy docs where? · staging");
  await composer(page).fill("/path");
  await composer(page).press("Enter");
  await expect(composer(page)).toHaveValue("src/relay.ts");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("commands are tapped, and a panel has keys to tap", async ({ session: page }) => {
    await composer(page).fill("/bo");
    await page.getByRole("option", { name: /board/ }).tap();
    await page.getByRole("button", { name: "Run", exact: true }).tap();
    const panel = page.getByRole("region", { name: "Panel: Board" });
    await panel.getByRole("button", { name: "Down" }).tap();
    await expect(panel).toContainText("> [ ] mend the relay");
    await panel.getByRole("button", { name: "Close panel" }).tap();
    await expect(panel).toBeHidden();
  });
});

// Sharing a session by a link: its owner makes and revokes it, and a visitor without a login reads it.
import type { Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { expect, prompt, test, turnEnds } from "./story.ts";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Share link" });

async function openDialog(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.keyboard.type("share link");
  await page.getByRole("option", { name: "Share link…" }).click();
  await expect(dialog(page)).toBeVisible();
}

async function makeLink(page: Page): Promise<string> {
  await dialog(page).getByRole("button", { name: "Create link" }).click();
  const made = dialog(page).getByLabel("The new link");
  await expect(made).toHaveValue(/\/shared\/\w+#[\w-]{43}$/);
  return made.inputValue();
}

test("[X415] [X416] a link shows a session to a visitor as it goes on, until it is revoked", async ({
  session: page,
  model,
  browser,
}, testInfo) => {
  model.reply({ text: "The **first** answer, in `src/plan.ts`." }, { text: "The second answer." });
  await prompt(page, "Write the plan");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  await openDialog(page);
  expect(await violations(page)).toEqual([]);
  await page.screenshot({ path: testInfo.outputPath("dialog.png") });

  await dialog(page).getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("region", { name: "What a visitor sees" });
  await expect(preview).toContainText("The first answer, in [path].");
  await expect(preview).not.toContainText("plan.ts");
  await page.screenshot({ path: testInfo.outputPath("preview.png") });
  await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
  const link = await makeLink(page);
  await expect(dialog(page)).toContainText("never opened");

  const context = await browser.newContext();
  const visitor = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  visitor.on("request", (request) => asked.push(request.url()));
  visitor.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await visitor.emulateMedia({ colorScheme: "light" });
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: "Write the plan" })).toBeVisible();
  await expect(visitor.getByRole("main")).toContainText("The first answer, in [path].");
  await expect(visitor.getByRole("main")).toContainText(/^User/);
  await expect(visitor.getByRole("banner")).toContainText("Not shown: file paths, costs, thinking");
  expect(await violations(visitor)).toEqual([]);
  await visitor.screenshot({ path: testInfo.outputPath("visitor.png") });
  await visitor.emulateMedia({ colorScheme: "dark" });
  await visitor.setViewportSize({ width: 390, height: 844 });
  expect(await violations(visitor)).toEqual([]);
  await visitor.screenshot({ path: testInfo.outputPath("visitor-dark-phone.png") });

  // It goes on, and is counted once.
  await page.keyboard.press("Escape");
  await prompt(page, "Go on");
  await expect(visitor.getByRole("main")).toContainText("The second answer.");
  await openDialog(page);
  await expect(dialog(page)).toContainText("opened once");

  // A copy ends before a prompt that its owner chooses.
  await dialog(page).getByLabel("What it shows").selectOption("A copy of it");
  await dialog(page).getByLabel("Up to").selectOption("Before “Go on”");
  await page.screenshot({ path: testInfo.outputPath("copy.png") });
  await dialog(page).getByRole("button", { name: "Preview" }).click();
  const copy = page.getByRole("region", { name: "What a visitor sees" });
  await expect(copy).toContainText("The first answer");
  await expect(copy).not.toContainText("Go on");
  await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();

  // Its page asked for nothing but itself and its content, and keeps nothing.
  const { origin, pathname, hash } = new URL(link);
  const paths = new Set(asked.map((url) => new URL(url).pathname.replace(/^\/assets\/.*/, "/assets/")));
  expect([...paths].sort()).toEqual(["/assets/", `/api${pathname}`, pathname].sort());
  expect(asked.filter((url) => url.includes(hash.slice(1)) && !url.startsWith(link))).toEqual([]);
  expect(await context.cookies()).toEqual([]);
  expect(await context.storageState()).toEqual({ cookies: [], origins: [] });
  const blocked = await visitor.evaluate(
    (url) =>
      fetch(url).then(
        () => "answered",
        () => "blocked",
      ),
    `${origin}/healthz`,
  );
  expect(blocked).toBe("blocked");

  await dialog(page)
    .getByRole("button", { name: /^Revoke the link/ })
    .click();
  await expect(dialog(page)).toContainText("There is no link to this session.");
  await expect(visitor.getByRole("heading", { name: "This link has ended" })).toBeVisible();
  await expect(visitor.getByRole("main")).toContainText("This link was revoked.");
  await visitor.screenshot({ path: testInfo.outputPath("ended.png") });
  expect(complaints.filter((text) => !/410|healthz|Fetch API/.test(text))).toEqual([]);
  await context.close();
});

test("[X415] a link that is not complete says so, in German too", async ({ server, browser }, testInfo) => {
  const context = await browser.newContext({ locale: "de-DE" });
  const visitor = await context.newPage();
  await visitor.goto(`${server.url}/shared/abc`);
  await expect(visitor.getByRole("heading", { name: "Dieser Link funktioniert nicht" })).toBeVisible();
  expect(await violations(visitor)).toEqual([]);
  await visitor.screenshot({ path: testInfo.outputPath("broken.png") });
  await context.close();
});

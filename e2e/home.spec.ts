// Home, where work starts: what newcomers do is counted in clicks, keys and taps.
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { composer, expect, test, transcript, turnEnds } from "./story.ts";

/** Counts what the person does, in the page itself: a programmatic focus is no click. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    addEventListener(
      "pointerdown",
      () => sessionStorage.setItem("presses", String(Number(sessionStorage.getItem("presses") ?? 0) + 1)),
      true,
    );
  });
  return () => page.evaluate(() => Number(sessionStorage.getItem("presses") ?? 0));
}

test("[P200] [P201] [P204] [P206] the first answer in a chosen directory takes two clicks at most, and the list keeps what was chosen", async ({
  page,
  server,
  model,
}) => {
  const project = join(server.cwd, "nested/deeper/api");
  mkdirSync(project, { recursive: true });
  mkdirSync(join(server.cwd, "nested/deeper/web"));
  execFileSync("git", ["init", "-q", "-b", "trunk", project]);
  const presses = await countPresses(page);
  await page.goto(await server.loginUrl());
  const field = page.getByRole("textbox", { name: "What should the agent do?" });
  await expect(field).toBeFocused();
  expect(await violations(page)).toEqual([]);

  const directory = page
    .getByRole("form", { name: "New session" })
    .getByRole("button", { name: /^Directory: / });
  await directory.click();
  await expect(page.getByRole("combobox", { name: "Directory" })).toBeFocused();
  await page.keyboard.type(`${server.cwd}/nested/deeper/`);
  const options = page.getByRole("listbox", { name: "Directories" }).getByRole("option");
  await expect(options).toHaveCount(3);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type("a");
  await expect(options).toHaveText([/apigit/]);
  await page.keyboard.press("Enter");
  await expect(directory).toContainText(/api.*trunk/);
  await expect(field).toBeFocused();

  // Nothing is lost when the session cannot be created.
  await page.route("**/api/sessions", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  await page.keyboard.type("What is in here?");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(field).toHaveValue("What is in here?");
  await page.unroute("**/api/sessions");
  model.reply({ text: "Quite a lot.\n\nIt is **empty**." }, { text: "Again." });
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("Quite a lot.");
  expect(await presses()).toBeLessThanOrEqual(2);
  await expect(page.getByTitle("Rename")).toHaveText("What is in here?");
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("What is in here?");
  await expect(turnEnds(page, "end")).toBeVisible();

  // The list: folded and remembered, and a session in the same directory by one click.
  const list = page.getByRole("navigation", { name: "Sessions" });
  const group = list.getByRole("region", { name: project });
  await group.getByRole("button", { expanded: true }).click();
  await expect(group.getByRole("link")).toHaveCount(0);
  await page.goto(server.url);
  await expect(group.getByRole("button", { expanded: false })).toBeVisible();
  const recent = page.getByRole("region", { name: "Recent" });
  await expect(recent.getByRole("link")).toContainText(["What is in here?"]);
  await expect(recent).toContainText("It is empty.");
  await expect(recent).toContainText(/\$0\.00\d+/);
  await expect(directory).toContainText("api"); // and not where the server was started
  await group.getByRole("button", { name: /^New session in / }).click();
  await expect(composer(page)).toBeFocused();
  await expect(
    list.getByRole("region", { name: project }).getByRole("button", { expanded: false }),
  ).toContainText("2");

  // A worktree session belongs to its project, with its branch, and is named by its first prompt.
  execFileSync(
    "git",
    ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "first", "--allow-empty"],
    {
      cwd: project,
    },
  );
  await page.goto(server.url);
  await page.getByRole("button", { name: "Worktree" }).click();
  await field.fill("In a tree of its own");
  await page.keyboard.press("Enter");
  await expect(transcript(page)).toContainText("Again.");
  await group.getByRole("button", { expanded: false }).click();
  const row = group.getByRole("link", { name: /In a tree of its own/ });
  await expect(row).toContainText(/[0-9a-f]{8}/);
});

test.describe("on a phone", () => {
  test.use({ worker: "actor", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("[P206] the session that needs a person is two taps away at most, from one screen with everything", async ({
    page,
    server,
  }) => {
    const { body } = await server.call("POST", "/api/sessions", { name: "Deploy" });
    const { id } = (body as { session: { id: string } }).session;
    const presses = await countPresses(page);
    await page.goto(await server.loginUrl());
    await expect(page.getByRole("region", { name: "Recent" })).toContainText("Deploy");
    await page.goto(`${server.url}/sessions/${id}`);
    await composer(page).fill("ask 600000");
    await page.getByRole("button", { name: "Send" }).tap();
    await expect(page.getByRole("region", { name: "The agent asks" })).toBeVisible();

    await page.evaluate(() => sessionStorage.removeItem("presses"));
    await page.goto(server.url); // cold
    for (const name of [/^Patchbay$/, /^Costs/]) await expect(page.getByRole("link", { name })).toBeVisible();
    await expect(page.getByRole("button", { name: "Settings" })).toBeVisible();
    const needs = page.getByRole("region", { name: "Needs you" });
    await expect(needs).toContainText("Sure?");
    const box = await needs.boundingBox();
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThanOrEqual(844); // without scrolling
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await violations(page)).toEqual([]);
    await needs.getByRole("link").tap();
    await page.getByRole("region", { name: "The agent asks" }).getByRole("button", { name: "Yes" }).tap();
    await expect(transcript(page)).toContainText('"confirmed":true');
    expect(await presses()).toBeLessThanOrEqual(2);
  });
});

// What a session has changed, seen and commented on; the comments reach the agent.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import { violations } from "./axe.ts";
import { composer, expect, startSession, test, transcript, turnEnds } from "./story.ts";

test("[L75] changes since the session began, a comment on a line, and the directory to read", async ({
  page,
  server,
}) => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
      cwd: server.cwd,
    });
  writeFileSync(`${server.cwd}/retry.ts`, "export const attempts = 3;\nexport const wait = 20;\n");
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  await page.goto(await server.loginUrl());
  await startSession(page);
  await page.getByRole("button", { name: "Files and changes" }).click();
  await expect(page.getByRole("heading", { name: "No changes" })).toBeVisible();
  writeFileSync(`${server.cwd}/retry.ts`, "export const attempts = 5;\nexport const wait = 20;\n");
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByRole("table", { name: "Changes of retry.ts" })).toContainText("attempts = 5");
  await page
    .getByRole("row", { name: /attempts = 5/ })
    .getByRole("button", { name: "Comment on line 1" })
    .click();
  const comment = page.getByLabel("Comment for the agent");
  await comment.fill("Four are enough.");
  const field = await comment.elementHandle();
  // [L75] The agent works on meanwhile; what is being written stays where it is.
  writeFileSync(`${server.cwd}/retry.ts`, "export const attempts = 5;\nexport const wait = 20;\n// more\n");
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByRole("table", { name: "Changes of retry.ts" })).toContainText("// more");
  await expect(comment).toHaveValue("Four are enough.");
  expect(await field?.evaluate((element) => element.isConnected)).toBe(true);
  await page.getByRole("button", { name: "Add comment" }).click();
  await page.reload(); // neither the comment nor the pane is lost by that
  await expect(page.getByRole("button", { name: "Four are enough." })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  // [P282] Beside the transcript, as wide as it was left; another page load keeps both.
  const pane = page.getByRole("complementary", { name: "Changes and files" });
  const line = page.getByRole("separator", { name: "Resize the side pane" });
  const before = (await pane.boundingBox())?.width ?? 0;
  await line.focus();
  await page.keyboard.press("ArrowLeft");
  const wider = (await pane.boundingBox())?.width ?? 0;
  expect(wider).toBeGreaterThan(before + 10);
  const address = page.url().replace(/\/files.*/, "");
  await page.goto(address);
  await expect(pane).toBeVisible();
  expect((await pane.boundingBox())?.width).toBeCloseTo(wider, 0);
  // [P285] F6 goes from pane to pane, each where it had the focus.
  await expect(composer(page)).toBeFocused();
  await expect(pane.getByRole("tab", { name: /^Changes/ })).toBeVisible();
  await page.keyboard.press("F6");
  await expect(pane.getByRole("tab", { name: /^Changes/ })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await pane.getByRole("button", { name: /retry\.ts/ }).click();
  await expect(pane.getByRole("group", { name: "Code" })).toContainText("wait = 20");
  await page.keyboard.press("Shift+F6");
  await expect(composer(page)).toBeFocused();
  // [P283] A link names the file and the line.
  await page.goto(`${address}/files?path=retry.ts&line=2`);
  await expect(pane.locator('[data-line="2"]')).toBeVisible();
  await page.getByRole("button", { name: "Send 1 comment" }).click();
  await expect(transcript(page)).toContainText("retry.ts:1");
  await expect(transcript(page)).toContainText("Four are enough.");
  await expect(turnEnds(page)).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  // [P289] At 200 % the screen is half as large: the pane, the palette and the prompt fill it, without an empty band.
  await page.setViewportSize({ width: 720, height: 450 });
  await expect.poll(() => pane.boundingBox()).toEqual({ x: 0, y: 0, width: 720, height: 450 });
  await page.keyboard.press("Control+k");
  await expect.poll(() => bottomOf(page.getByRole("listbox", { name: "Results" }))).toBe(450);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Back to the session" }).click();
  const form = page.getByRole("form", { name: "Prompt" });
  expect(await bottomOf(form)).toBeGreaterThan(450 - 80);
  expect((await form.boundingBox())?.height).toBeLessThan(64);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto(address);
  await expect(composer(page)).toBeVisible();
  await expect(pane).toBeHidden();
});

const bottomOf = async (element: Locator): Promise<number> => {
  const box = await element.boundingBox();
  return box === null ? 0 : Math.round(box.y + box.height);
};

// What a session has changed, seen and commented on; the comments reach the agent.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { violations } from "./axe.ts";
import { expect, startSession, test, transcript, turnEnds } from "./story.ts";

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
  await page.getByRole("link", { name: "Files and changes" }).click();
  await expect(page.getByRole("heading", { name: "Nothing has changed" })).toBeVisible();
  writeFileSync(`${server.cwd}/retry.ts`, "export const attempts = 5;\nexport const wait = 20;\n");
  await page.getByRole("button", { name: "Look again" }).click();
  await expect(page.getByRole("table", { name: "Changes of retry.ts" })).toContainText("attempts = 5");
  await page
    .getByRole("row", { name: /attempts = 5/ })
    .getByRole("button", { name: "Comment on line 1" })
    .click();
  const comment = page.getByLabel("Comment to the agent");
  await comment.fill("Four are enough.");
  const field = await comment.elementHandle();
  // [L75] The agent works on meanwhile; what is being written stays where it is.
  writeFileSync(`${server.cwd}/retry.ts`, "export const attempts = 5;\nexport const wait = 20;\n// more\n");
  await page.getByRole("button", { name: "Look again" }).click();
  await expect(page.getByRole("table", { name: "Changes of retry.ts" })).toContainText("// more");
  await expect(comment).toHaveValue("Four are enough.");
  expect(await field?.evaluate((element) => element.isConnected)).toBe(true);
  await page.getByRole("button", { name: "Keep comment" }).click();
  await page.reload(); // a comment is not lost by that
  await expect(page.getByRole("button", { name: "Four are enough." })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("tab", { name: "All files" }).click();
  await page.getByRole("button", { name: /retry\.ts/ }).click();
  await expect(page.getByRole("group", { name: "Code" })).toContainText("wait = 20");
  await page.getByRole("button", { name: "Send 1 comment" }).click();
  await expect(transcript(page)).toContainText("retry.ts:1");
  await expect(transcript(page)).toContainText("Four are enough.");
  await expect(turnEnds(page)).toHaveCount(1);
});

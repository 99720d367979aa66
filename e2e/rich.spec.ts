// What a turn is made of, as it is shown: thoughts, calls made together, pictures, diffs; found again by a search, taken
// along as a file, and without motion for those who want none.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, prompt, test, transcript, turnEnds } from "./story.ts";

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("[L90] [Y80] [Y83] a turn with everything, and the search that leads into it", async ({
  session: page,
  server,
  model,
}) => {
  writeFileSync(`${server.cwd}/dot.png`, Buffer.from(dot, "base64"));
  writeFileSync(`${server.cwd}/retry.ts`, "export const attempts = 3;\nexport const wait = 20;\n");
  const echo = (index: number) => ({
    name: "bash",
    args: { command: `seq 1 80; echo ${index === 5 ? "persimmon" : "nothing"}; seq 81 160` },
  });
  const edits = [{ oldText: "attempts = 3", newText: "attempts = 5" }];
  model.reply(
    {
      thinking: ["First ", "the files, ", "then ", "the edit."],
      delayMs: 60,
      toolCalls: Array.from({ length: 7 }, (_, index) => echo(index)),
    },
    { toolCalls: [{ name: "read", args: { path: "dot.png" } }] },
    { toolCalls: [{ name: "edit", args: { path: "retry.ts", edits } }] },
    { text: `${"A long answer. ".repeat(40)}\n\n`.repeat(8) },
  );
  await prompt(page, "Show everything");
  await expect(turnEnds(page, "end")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Thought for 0\.\d+ s$/ })).toBeVisible();
  const together = page.getByRole("region", { name: "7 tool calls" });
  await expect(together).toContainText("bash ×7");
  await expect(together.locator("[data-tool]")).toHaveCount(0); // so many fold once they are over
  await expect(page.getByRole("img", { name: "What the tool returned" })).toBeVisible();
  await page.locator('[data-tool="edit"]').getByRole("button").first().click();
  await page.getByRole("button", { name: "Side by side" }).click();
  const before = await page.getByText("attempts = 3").filter({ visible: true }).boundingBox();
  const after = await page.getByText("attempts = 5").filter({ visible: true }).boundingBox();
  expect(after?.y).toBe(before?.y);
  expect(after?.x ?? 0).toBeGreaterThan((before?.x ?? 0) + (before?.width ?? 0));

  // A word of an output in the folded group.
  const found = () => server.call("GET", "/api/search?q=persimmon&kind=output").then(({ text }) => text);
  await expect.poll(found).toContain('"match":true');
  await page.goto(`${server.url}/search?q=persimmon`);
  await page.getByRole("link", { name: /^Output/ }).click();
  await expect(together.locator("[data-tool]")).toHaveCount(7);
  const output = together.getByRole("group", { name: "Output" });
  await expect(output).toHaveCount(1);
  await expect(output).toContainText("persimmon");
  const marked = () =>
    page.evaluate(() => {
      const range = [...(CSS.highlights.get("found") ?? [])].find(
        (each) => each instanceof Range && each.startContainer.parentElement?.closest("pre") !== null,
      );
      if (!(range instanceof Range)) return null;
      const { top, bottom } = range.getBoundingClientRect();
      const terminal = range.startContainer.parentElement?.closest("pre")?.getBoundingClientRect();
      const isSeen = terminal !== undefined && top >= terminal.top && bottom <= terminal.bottom;
      return { text: range.toString(), isSeen: isSeen && top > 0 && bottom < innerHeight };
    });
  await expect.poll(marked).toEqual({ text: "persimmon", isSeen: true });

  // As a file.
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Export" }).press("ArrowRight");
  await page.getByRole("menuitem", { name: "Text (Markdown)" }).press("Enter");
  const file = await (await download).path();
  expect(readFileSync(file, "utf8")).toContain("persimmon");

  // What moves elsewhere is there at once for whoever wants no motion.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await transcript(page).focus();
  await page.keyboard.press("Control+k");
  const motion = await page
    .getByRole("dialog")
    .evaluate((dialog) => Number.parseFloat(getComputedStyle(dialog).animationDuration));
  expect(motion).toBeLessThan(0.001);
});

test("[L67] the dialog starts a session in a git worktree of its own", async ({ page, server }) => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
      cwd: server.cwd,
      encoding: "utf8",
    });
  git("init", "-q");
  git("commit", "-qm", "first", "--allow-empty");
  await page.goto(await server.loginUrl());
  await page.getByRole("button", { name: "New session", exact: true }).click();
  await page.getByRole("checkbox", { name: /Use a separate git worktree/ }).check();
  await page.getByRole("button", { name: "Start session" }).click();
  await expect(page.getByRole("heading", { name: "What should the agent do?" })).toBeVisible();
  const trees = git("worktree", "list").trim().split("\n");
  expect(trees).toHaveLength(2);
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Details" }).click();
  await expect(page.getByRole("dialog")).toContainText(trees[1]?.split(" ")[0] ?? "nowhere");
});

test.describe("a question, from the palette", () => {
  test.use({ worker: "actor" });

  test("[L91] what waits for a person is reached", async ({ session: page }) => {
    await prompt(page, "ask");
    const yes = page.getByRole("region", { name: "The agent asks" }).getByRole("button", { name: "Yes" });
    await expect(yes).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("answer the");
    await expect(page.getByRole("option", { name: /^Answer the question/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(yes).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(transcript(page)).toContainText('"confirmed":true');
  });
});

test("[L91] everything that the open session can do is in the palette, also beside its files", async ({
  session: page,
  model,
}) => {
  const palette = page.getByRole("dialog", { name: "Search or run a command" });
  const choose = async (words: string, option: string | RegExp): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(words);
    await page.getByRole("dialog").getByRole("option", { name: option }).click();
  };
  model.reply({ status: 401, body: "no" }, { text: "Better now." });
  await prompt(page, "Do it");
  await expect(turnEnds(page, "error")).toBeVisible();
  await choose("retry the", /^Retry the last prompt$/);
  await expect(transcript(page)).toContainText("Better now.");
  await page.keyboard.press("Control+k");
  for (const name of ["Jump to latest", "Clear the transcript", "Budgets"])
    await expect(palette.getByRole("option", { name })).toBeVisible();
  await expect(palette.getByRole("option", { name: "Stop the agent" })).toBeHidden();
  await expect(palette.getByRole("option", { name: "Answer the question" })).toBeHidden();
  await page.keyboard.press("Escape");
  await choose("approv", /^Approvals…/);
  await page
    .getByRole("dialog")
    .getByRole("option", { name: /^Ask first/ })
    .click();
  await expect(page.getByRole("button", { name: /^Approvals: Ask first/ })).toBeVisible();
  await choose("nearly", /^Compact when nearly full.*on$/);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("compact when");
  await expect(palette.getByRole("option", { name: /^Compact when nearly full/ })).toContainText("off");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Files and changes" }).click();
  await expect(page.getByRole("complementary", { name: "Changes and files" })).toBeVisible();
  await choose("details", /^Details/);
  await expect(page.getByRole("dialog", { name: "Session details" })).toBeVisible();
  await page.keyboard.press("Escape");
  await choose("files", /^Files and changes/);
  await expect(page.getByRole("complementary")).toBeHidden();
  await expect(transcript(page)).toContainText("Better now.");
});

// Going on with what was begun elsewhere: a session that pi left in the directory, and what it had cost.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../testing/src/server-process.ts";
import { cost, expect, prompt, test, transcript, turnEnds } from "./story.ts";

test("a session of another program is found, continued and paid for once", async ({
  page,
  server,
  model,
}) => {
  const folder = join(server.home, ".pi/agent/sessions/--project--");
  mkdirSync(folder, { recursive: true });
  const recorded = readFileSync(join(repository, "testing/session-files/pi/first.jsonl"), "utf8");
  writeFileSync(join(folder, "first.jsonl"), recorded.replaceAll("/work/project", server.cwd));
  await page.goto(await server.loginUrl());
  await page.getByRole("button", { name: "New session", exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  await dialog.getByRole("button", { name: /Continue a session from another program/ }).click();
  const found = dialog.getByRole("radio", { name: /greetings/ });
  await expect(dialog.getByText(/pi · .* · 8 messages · \$0\.0204/)).toBeVisible();
  await found.check();
  await expect(dialog.getByRole("combobox", { name: "Agent" })).toHaveAccessibleDescription(
    "The built-in agent gets the conversation from pi",
  );
  await dialog.getByRole("button", { name: "Continue session" }).click();
  await expect(page.getByTitle("Rename")).toHaveText("greetings");
  await expect(transcript(page)).toContainText("Hello there.");
  await expect(transcript(page)).toContainText("echo from the shell");
  await expect(transcript(page)).toContainText("The conversation above took place in pi.");
  await expect(turnEnds(page, "end")).toHaveCount(3);
  model.reply({ text: "We greeted each other.", usage: { input: 1000, output: 10 } });
  await prompt(page, "What did we do?");
  await expect(transcript(page)).toContainText("We greeted each other.");
  await expect(turnEnds(page, "end")).toHaveCount(4);
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("And on.");
  await expect(cost(page)).not.toContainText("$0.0204");

  // What another program spent is found by the button; the session that was continued is known already.
  for (const [program, path] of [
    ["omp", ".omp/agent/sessions/-project"],
    ["codex", ".codex/sessions/2026/08/20"],
    ["gemini", ".gemini/tmp/project/chats"],
  ] as const) {
    const text = readFileSync(join(repository, `testing/session-files/${program}/first.jsonl`), "utf8");
    mkdirSync(join(server.home, path), { recursive: true });
    writeFileSync(join(server.home, path, "first.jsonl"), text);
  }
  await page
    .getByRole("navigation")
    .getByRole("link", { name: /^Costs/ })
    .click();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Import costs from other programs" }).click();
  const importing = page.getByRole("dialog", { name: "Import costs from other programs" });
  await importing.getByRole("button", { name: "Import" }).click();
  await expect(importing.getByRole("status")).toContainText("oh-my-pi1 file · 4 new calls$0.0203");
  await expect(importing.getByRole("status")).toContainText("pi1 file · 0 new calls");
  await expect(importing.getByRole("status")).toContainText("Codex1 file · 3 new calls$0.0054");
  await expect(importing.getByRole("status")).toContainText("Gemini CLI1 file · 4 new calls$0.0017");
});

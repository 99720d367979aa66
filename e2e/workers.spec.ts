// Workers are strangers: they die, refuse to start, and ask questions. A person can read what happened.
import { composer, expect, prompt, state, test, transcript, turnEnds } from "./story.ts";

test.describe("a worker that acts", () => {
  test.use({ worker: "actor" });

  test("dies: its reason and last output are shown, and the next prompt starts it again", async ({
    session: page,
  }) => {
    await prompt(page, "crash");
    const failure = page.getByRole("group", { name: /exit code 3/ });
    await expect(failure).toContainText("exit code 3");
    await expect(failure.getByRole("group", { name: "Error output of the agent" })).toContainText(
      "fatal: out of cheese",
    );
    await expect(failure.getByRole("button", { name: "Retry" })).toBeVisible();
    await expect(state(page, "failed")).toBeVisible();
    await expect(turnEnds(page, "interrupted")).toBeVisible();
    await expect(transcript(page)).toContainText("about to");
    await prompt(page, "say back again");
    await expect(transcript(page).getByText("back again", { exact: true })).toBeVisible();
    await expect(state(page, "idle")).toBeVisible();
  });

  test("asks: the question is answered on the page", async ({ session: page }) => {
    await prompt(page, "ask");
    const question = page.getByRole("region", { name: "The agent asks" });
    await expect(question).toContainText("Sure?");
    await expect(page.getByRole("navigation").getByRole("heading", { name: /^Needs you/ })).toBeVisible();
    await question.getByRole("button", { name: "Yes" }).click();
    await expect(transcript(page)).toContainText('"confirmed":true');
    await expect(question).toBeHidden();
  });

  test("is stopped by hand, and starts again with the next prompt", async ({ session: page }) => {
    await prompt(page, "say one");
    await expect(turnEnds(page, "end")).toHaveCount(1);
    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Shut down the agent" }).click();
    await expect(state(page, "stopped")).toBeVisible();
    await prompt(page, "say two");
    await expect(turnEnds(page, "end")).toHaveCount(2);
  });

  test("is renamed and deleted", async ({ session: page }) => {
    await prompt(page, "say hello");
    await expect(turnEnds(page, "end")).toBeVisible();
    await page.getByTitle("Rename").click();
    await page.getByRole("textbox", { name: "Session name" }).fill("A better name");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("navigation").getByRole("link", { name: /A better name/ })).toBeVisible();
    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Delete the session" }).click();
    await expect(page.getByRole("navigation")).toContainText("No sessions yet");
  });
});

test.describe("a worker that cannot start", () => {
  test.use({ worker: "exit-early" });

  test("says why", async ({ session: page }) => {
    await prompt(page, "hello");
    await expect(page.getByText("no credential for anthropic; set ANTHROPIC_API_KEY").first()).toBeVisible();
    await expect(state(page, "failed")).toBeVisible();
    await expect(composer(page)).toBeEnabled();
  });
});

test("a directory that is not allowed is refused beside its field", async ({ session: page, server }) => {
  await page.getByRole("button", { name: "New session", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New session" });
  const field = dialog.getByRole("button", { name: /^Directory: / });
  const choose = async (path: string): Promise<void> => {
    await field.click();
    await page.getByRole("combobox", { name: "Directory" }).fill(path);
    await page.keyboard.press("Enter");
  };
  await expect(dialog.getByRole("textbox", { name: "First prompt" })).toBeFocused();
  await choose("/etc");
  await dialog.getByRole("button", { name: "Start session" }).click();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(/\/etc/);
  await choose(server.cwd);
  await dialog.getByRole("textbox", { name: "Name" }).fill("Named by hand");
  await dialog.getByRole("button", { name: "Start session" }).click();
  await expect(page.getByTitle("Rename")).toHaveText("Named by hand");
});

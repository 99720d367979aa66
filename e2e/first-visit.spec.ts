// A newcomer with no key and no account: from the login link to an answer, by clicks alone.
import { expect, startSession, test, transcript, turnEnds } from "./story.ts";

test.use({ worker: "demo" });

test("a first visit ends with an answer of the demo model, with nothing to set up", async ({
  page,
  server,
}) => {
  await page.goto(await server.loginUrl());
  await expect(page).toHaveURL(`${server.url}/`); // the token does not stay in the address
  await expect(page.getByRole("heading", { name: "What should the agent do?" })).toBeVisible();
  await expect(page.getByText("the offline demo model answers")).toBeVisible();
  await page.getByRole("link", { name: "Agents and models" }).click();
  const models = page.getByRole("region", { name: "Models of the built-in agent" });
  await expect(models.getByRole("listitem").filter({ hasText: "Anthropic" })).toContainText(
    "export ANTHROPIC_API_KEY=",
  );
  await page.goBack();
  await startSession(page);
  await page.getByRole("button", { name: /^Run the command/ }).click();
  await expect(turnEnds(page, "end")).toBeVisible();
  const card = page.locator('[data-tool="bash"]');
  await expect(card).toContainText("node --version");
  await expect(transcript(page)).toContainText(process.version.split(".")[0] ?? "v");
  await expect(turnEnds(page)).toContainText(/2 calls · .* in · .* out · \$0\.00$/);
});

test("the demo writes a real file, and the card shows what is in it", async ({ session: page, server }) => {
  await page.getByRole("button", { name: /^Write a file hello.txt/ }).click();
  await expect(turnEnds(page, "end")).toBeVisible();
  await page.locator('[data-tool="write"]').getByRole("button", { name: /write/ }).click();
  await expect(page.locator('[data-tool="write"] pre')).toHaveText("hello");
  const { readFile } = await import("node:fs/promises");
  expect(await readFile(`${server.cwd}/hello.txt`, "utf8")).toBe("hello\n");
});

test("the session is named after its first prompt, in the list and in the title", async ({
  session: page,
}) => {
  await page.getByRole("button", { name: "List the files in this directory" }).click();
  await expect(turnEnds(page, "end")).toBeVisible();
  await expect(page.getByRole("navigation").getByRole("link", { name: /List the files/ })).toBeVisible();
  await expect(page).toHaveTitle("List the files in this directory · Patchbay");
});

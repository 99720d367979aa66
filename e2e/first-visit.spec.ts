// A newcomer with no key and no account: from the login link to an answer, by clicks alone.
import { violations } from "./axe.ts";
import { expect, prompt, startSession, test, transcript, turnEnds } from "./story.ts";

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
  const providers = page.getByRole("region", { name: "Model providers" });
  await expect(providers.getByRole("listitem").filter({ hasText: "Anthropic" })).toContainText("No key yet.");
  await page.goBack();
  await startSession(page);
  await page.getByRole("button", { name: /^Run the command/ }).click();
  await expect(turnEnds(page, "end")).toBeVisible();
  const card = page.locator('[data-tool="bash"]');
  await expect(card).toContainText("node --version");
  await expect(transcript(page)).toContainText(process.version.split(".")[0] ?? "v");
  await expect(turnEnds(page)).toContainText(/2 calls · .* in · .* out · \$0\.00$/);
});

test("[P222] a key is entered, tested, used at once and removed in the page, and never comes back to it", async ({
  session: page,
  server,
  model,
}) => {
  const key = "sk-ant-a-key-of-this-story-wxyz";
  const seen: string[] = [];
  page.on("response", async (response) => {
    if (response.url().includes("/api/")) seen.push(await response.text().catch(() => ""));
  });
  await page.goto(`${server.url}/setup`);
  const row = page
    .getByRole("region", { name: "Model providers" })
    .getByRole("listitem")
    .filter({ hasText: "Anthropic" });
  await row.getByRole("button", { name: "Add key: Anthropic" }).click();
  const form = page.getByRole("form", { name: "Anthropic" });
  await expect(form.getByLabel("API key", { exact: true })).toBeFocused();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByText("Enter a key.")).toBeVisible();
  await form.getByLabel("API key", { exact: true }).fill(key);
  await form.getByLabel(/^Base URL/).fill("http://127.0.0.1:1");
  await form.getByRole("button", { name: "Test" }).click();
  await expect(form.getByRole("status")).toContainText("Not reachable: 127.0.0.1:1 did not answer.");
  await form.getByLabel(/^Base URL/).fill("https://me:secret@gateway.test");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form).toContainText("A base URL has no user name and no password in it.");
  await form.getByLabel(/^Base URL/).fill(`${model.baseUrl}/anthropic`);
  expect(await violations(page)).toEqual([]);
  await form.getByLabel(/^Base URL/).press("Enter");
  await expect(row.getByRole("status")).toContainText(/^Works: 127\.0\.0\.1:\d+ accepted the key\./);
  await expect(row).toContainText(/Key ••••wxyz · http:.* · \d+ models/);
  expect(await violations(page)).toEqual([]);

  // The session that was open before has ended its idle agent, and can use the new models.
  model.reply({ text: "From a real model." });
  await page.getByRole("button", { name: "Start session" }).click();
  await prompt(page, "Who are you?");
  await expect(transcript(page)).toContainText("From a real model.");
  expect(model.requests.at(-1)?.headers["x-api-key"]).toBe(key);

  await page.goto(`${server.url}/setup`);
  await row.getByRole("button", { name: "Remove: Anthropic" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(row).toContainText("No key yet.");
  expect(seen.length).toBeGreaterThan(5);
  expect(seen.filter((text) => text.includes(key))).toEqual([]);
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

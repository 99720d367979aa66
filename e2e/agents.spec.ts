// What each agent can do here is a table on the setup page: known before an agent has run, and exact when it has.
import { test as base, type Locator } from "@playwright/test";
import { type EveryWorker, startEveryWorker } from "../testing/src/every-worker.ts";
import { promptFor } from "../testing/workers/scene.mjs";
import { violations } from "./axe.ts";
import { expect, prompt, startSession, turnEnds } from "./story.ts";

const test = base.extend<{ every: EveryWorker }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from it
  every: async ({}, use) => {
    await using every = await startEveryWorker({ default_worker: "acp" });
    await use(every);
  },
});

/** The cells of a row, by ability. */
async function extents(row: Locator): Promise<Record<string, string>> {
  const titles = await row
    .getByRole("cell")
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("title") ?? ""));
  return Object.fromEntries(titles.map((title) => title.split(": ")));
}

test("[P340] says what each agent can do, from the first start on, and exactly after its first session", async ({
  page,
  every: { server },
}) => {
  await page.goto(await server.loginUrl());
  await page.goto(`${server.url}/setup`);
  const table = page.getByRole("region", { name: "What each agent can do" });
  const row = (agent: string) =>
    table.getByRole("row").filter({ has: page.getByRole("button", { name: agent }) });
  await expect(row("Built-in agent")).toBeVisible();
  expect(await extents(row("Built-in agent"))).toMatchObject({
    Queue: "Yes",
    Steer: "Yes",
    Branches: "Yes",
    "MCP servers": "Yes",
    "Budget check": "Yes",
  });
  expect(await extents(row("zot"))).toMatchObject({
    Queue: "Yes",
    Compact: "Yes",
    Steer: "No",
    Resume: "No",
    Approvals: "No",
  });
  expect(await extents(row("oh-my-pi"))).toMatchObject({
    Steer: "Yes",
    Resume: "Yes",
    Approvals: "Partly",
    "Your shell": "Yes",
  });
  expect(await extents(row("acp"))).toMatchObject({ Compact: "Not known yet", Approvals: "Yes" });
  await row("acp").getByRole("button").click();
  await expect(table).toContainText(
    "Not known yet: the agent reports it when its first session starts here.",
  );

  await page.goto(server.url);
  await startSession(page);
  await prompt(page, promptFor([{ say: ["Hello."] }]));
  await expect(turnEnds(page)).toHaveCount(1);
  await page.goto(`${server.url}/setup`);
  await expect(row("acp")).toBeVisible();
  expect(await extents(row("acp"))).toMatchObject({ Compact: "Yes", Steer: "No" });
  await row("acp").getByRole("button").click();
  await expect(table).toContainText("As its last session here reported, now.");
  await expect(table.getByText("Known after its first session")).toBeHidden();

  // Those that can be added, with what they need.
  await expect(row("Gemini CLI")).toHaveCount(0);
  await table.getByRole("button", { name: /^Show \d+ agents that you can add/ }).click();
  await row("Claude Code").getByRole("button").click();
  await expect(table).toContainText("22 or newer");
  await expect(table).toContainText("npm install -g @agentclientprotocol/claude-agent-acp");
  expect(await violations(page)).toEqual([]);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("[P340] the table is a list: each agent with how much it can, and the rest when it is opened", async ({
    page,
    every: { server },
  }) => {
    await page.goto(await server.loginUrl());
    await expect(page.getByRole("textbox").first()).toBeVisible(); // the login is over
    await page.goto(`${server.url}/setup`);
    const table = page.getByRole("region", { name: "What each agent can do" });
    const agent = table.getByRole("button", { name: /^Built-in agent/ });
    await expect(agent).toContainText("17 of 17");
    expect((await agent.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await agent.tap();
    await expect(table.getByRole("listitem").filter({ hasText: "Steer" })).toContainText(
      "joins the running turn",
    );
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
  });
});

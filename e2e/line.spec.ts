// Lines that die without a word, and answers on them: what is noticed, sent again, and said.
import { type Network, startNetwork } from "../testing/src/network.ts";
import type { RunningServer } from "../testing/src/server-process.ts";
import {
  composer,
  expect,
  prompt,
  startSession,
  state,
  test as story,
  transcript,
  turnEnds,
} from "./story.ts";

/** The same session without the network between, which is another origin: it has a login of its own. */
const loginUrlTo = async (server: RunningServer, address: string): Promise<string> =>
  Object.assign(new URL(await server.loginUrl()), { pathname: new URL(address).pathname }).href;

const test = story.extend<{ network: Network }>({
  network: async ({ server }, use) => {
    await using network = await startNetwork(server.url);
    await use(network);
  },
});

test.describe("with a model", () => {
  test("[L79] a prompt on a line that died without a word is sent by a new one, once", async ({
    page,
    server,
    network,
    model,
  }) => {
    model.reply({ text: "Here I am." });
    await page.goto(network.through(await server.loginUrl()));
    await startSession(page);
    await expect(state(page, "idle")).toBeVisible();
    network.change();
    await prompt(page, "Are you there?");
    await expect(page.getByRole("region", { name: "Queue" })).toContainText("Not sent");
    await expect(transcript(page)).toContainText("Here I am.");
    await expect(page.getByRole("article", { name: "Your prompt" })).toHaveCount(1);
    expect(model.requests).toHaveLength(1);
  });

  test("[L79] a page that is only looked at notices within half a minute", async ({
    page,
    server,
    network,
    model,
    context,
  }) => {
    model.reply({ text: "Said meanwhile." });
    await page.clock.install();
    await page.goto(network.through(await server.loginUrl()));
    await startSession(page);
    await expect(state(page, "idle")).toBeVisible();
    const address = page.url();
    network.change();
    const other = await context.newPage();
    await other.goto(await loginUrlTo(server, address));
    await prompt(other, "Said on another device");
    await expect(turnEnds(other, "end")).toBeVisible();
    await page.clock.fastForward(20_000);
    await page.clock.fastForward(5_000);
    await expect(transcript(page)).toContainText("Said meanwhile.");
    await expect(composer(page)).toBeVisible();
  });

  test("[L79] what the list knows and the page does not shows that its line is dead", async ({
    page,
    server,
    network,
    model,
    context,
  }) => {
    model.reply({ text: "Said meanwhile." });
    await page.goto(network.through(await server.loginUrl()));
    await startSession(page);
    await expect(state(page, "idle")).toBeVisible();
    const address = page.url();
    network.change("sessions");
    const other = await context.newPage();
    await other.goto(await loginUrlTo(server, address));
    await prompt(other, "Said on another device");
    // Told of at once, and asked 5 seconds later: sooner than the line is asked by itself.
    await expect(transcript(page)).toContainText("Said meanwhile.");
  });
});

test.describe("with questions", () => {
  test.use({ worker: "actor" });

  test("[Q4] an answer on a dead line is kept, sent again, and counts once", async ({
    page,
    server,
    network,
  }) => {
    await page.goto(network.through(await server.loginUrl()));
    await startSession(page);
    await prompt(page, `question ${JSON.stringify({ method: "input", title: "Which name?" })}`);
    const card = page.getByRole("region", { name: "The agent asks" });
    await card.getByRole("textbox").fill("relay");
    network.change();
    await card.getByRole("button", { name: "Answer" }).click();
    await expect(card.getByRole("status")).toContainText("Sending…");
    await expect(card.getByRole("textbox")).toHaveValue("relay");
    await expect(transcript(page)).toContainText('"value":"relay"');
    await expect(card).toBeHidden();
    await expect(transcript(page)).toContainText("you answered");
    await expect(page.getByRole("alert").filter({ hasText: "first" })).toHaveCount(0);
    await expect(turnEnds(page, "end")).toHaveCount(1);
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("question."))),
    ).toEqual([]);
  });

  test("[Q5] who is not the first to answer is told, and what counted instead", async ({
    page,
    server,
    network,
    context,
  }) => {
    await page.goto(network.through(await server.loginUrl()));
    await startSession(page);
    await prompt(page, "ask 600000");
    const card = page.getByRole("region", { name: "The agent asks" });
    await expect(card).toBeVisible();
    const address = page.url();
    network.change();
    const other = await context.newPage();
    await other.goto(await loginUrlTo(server, address));
    await page.bringToFront();
    await card.getByRole("button", { name: "Yes" }).click();
    await other.getByRole("region", { name: "The agent asks" }).getByRole("button", { name: "No" }).click();
    await expect(turnEnds(other, "end")).toBeVisible();
    await expect(
      page.getByRole("alert").filter({ hasText: "Someone else answered first: “No”." }),
    ).toBeVisible();
    await expect(card).toBeHidden();
    await expect(transcript(page)).toContainText("answered by");
  });

  test("[Q6] the reason for a denial is not lost when one looks elsewhere, or on a reload", async ({
    page,
    server,
  }) => {
    await page.goto(await server.loginUrl());
    await startSession(page);
    const question = {
      method: "select",
      title: "Allow bash?",
      tool: "bash",
      args: { command: "ls" },
      options: ["Allow once", "Deny"],
    };
    await prompt(page, `question ${JSON.stringify(question)}`);
    await page.getByRole("button", { name: "Give a reason…" }).click();
    const why = page.getByRole("textbox", { name: "Reason for the denial" });
    await why.fill("wait for the event");
    await page.reload();
    await expect(why).toHaveValue("wait for the event");
    await why.press("Enter");
    await expect(transcript(page)).toContainText('"reason":"wait for the event"');
  });
});

// The server dies by SIGKILL and comes back on the same port with the same home. The page stays open
// all the while, and a person loses nothing: not what was shown, not what was written.
import type { Page } from "@playwright/test";
import { composer, cost, expect, prompt, state, test, transcript, turnEnds } from "./story.ts";

const banner = (page: Page) => page.getByText("Disconnected. Reconnecting…");
const prompts = (page: Page) => page.getByRole("article", { name: "Your prompt" });
const queue = (page: Page) => page.getByRole("region", { name: "Queue" });

test("a server killed in the middle of an answer: nothing shown is lost, and the turn can be retried", async ({
  session: page,
  model,
  server,
}) => {
  model.reply({ text: "The first answer.", usage: { input: 1_000, output: 10 } });
  await prompt(page, "The first question");
  await expect(turnEnds(page, "end")).toBeVisible();
  model.reply({ text: ["Half of the ", "answer."], hangAfterChunks: 1 });
  await prompt(page, "The second question");
  await expect(transcript(page)).toContainText("Half of the");
  await composer(page).fill("a draft");
  const spent = await cost(page).innerText();

  await server.kill();
  await server.start();
  await expect(turnEnds(page, "interrupted")).toContainText("interrupted");
  await expect(state(page, "stopped")).toBeVisible();
  await expect(transcript(page)).toContainText("The first answer.");
  await expect(transcript(page)).toContainText("Half of the");
  await expect(prompts(page)).toHaveCount(2);
  await expect(composer(page)).toHaveValue("a draft");
  // What the call that was cut off had used is charged, too, as an estimate.
  const dollars = (text: string): number => Number(text.replace(/[≈$\s]/g, ""));
  await expect(cost(page)).toContainText("≈");
  expect(dollars(await cost(page).innerText())).toBeGreaterThan(dollars(spent));

  model.reply({ text: "The whole answer." });
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(transcript(page)).toContainText("The whole answer.");
  await expect(turnEnds(page, "end")).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Retry", exact: true })).toBeHidden();
  await expect(prompts(page).last()).toContainText("The second question");
  await expect(prompts(page)).toHaveCount(3);
  await expect(composer(page)).toHaveValue("a draft");
  // The worker that was started again remembers what was said before the kill.
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("The first answer.");
});

test("a prompt sent while the server is away goes out when it is back, once", async ({
  session: page,
  model,
  server,
}) => {
  await page.waitForLoadState("networkidle"); // what shows the queue is loaded after the first picture
  await server.kill();
  await prompt(page, "written in the dark");
  await expect(queue(page)).toContainText("Not sent");
  await expect(banner(page)).toBeVisible();
  model.reply({ text: "Answered in the light." });
  await server.start();
  await expect(transcript(page)).toContainText("Answered in the light.");
  await expect(banner(page)).toBeHidden();
  await expect(queue(page)).toBeHidden();
  await expect(prompts(page)).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});

test("the banner waits for three seconds", async ({ page, server }) => {
  await page.clock.install();
  await page.goto(await server.loginUrl());
  const opened = page.waitForEvent("websocket");
  await page.getByRole("button", { name: /^Start without a prompt/ }).click();
  await expect(state(page, "idle")).toBeVisible();
  const socket = await opened;
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await Promise.all([socket.waitForEvent("close"), server.kill()]);
  await page.clock.runFor(2_600);
  await expect(banner(page)).toBeHidden();
  await page.clock.runFor(1_000);
  await expect(banner(page)).toBeVisible();
  await server.start();
  await page.clock.resume();
  await expect(banner(page)).toBeHidden();
});

test("a prompt that was not sent survives a reload, and is then sent once", async ({
  page,
  server,
  model,
}) => {
  let open = true;
  await page.routeWebSocket(/\/socket/, (line) => {
    if (open) line.connectToServer();
    else void line.close({ code: 1001 });
  });
  await page.goto(await server.loginUrl());
  await page.getByRole("button", { name: /^Start without a prompt/ }).click();
  await expect(state(page, "idle")).toBeVisible();
  open = false;
  await server.kill();
  await server.start();
  await prompt(page, "kept in the outbox");
  await expect(queue(page)).toContainText("Not sent");
  model.reply({ text: "It arrived." });
  open = true;
  await page.reload();
  await expect(transcript(page)).toContainText("It arrived.");
  await expect(prompts(page)).toHaveCount(1);
  await page.reload();
  await expect(turnEnds(page, "end")).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});

test("a queue that outlived the server waits for a word: run it, or remove it", async ({
  session: page,
  model,
  server,
}) => {
  model.reply({ text: ["At ", "it."], hangAfterChunks: 1 });
  await prompt(page, "Begin");
  await expect(transcript(page)).toContainText("At");
  await prompt(page, "first in line");
  await prompt(page, "second in line");
  await prompt(page, "third in line");
  await expect(queue(page).getByRole("listitem")).toHaveCount(3);
  await expect(queue(page).getByRole("button", { name: "Run now" })).toBeHidden();

  await server.kill();
  await server.start();
  await expect(turnEnds(page, "interrupted")).toBeVisible();
  await expect(queue(page)).toContainText("Queue paused · 3 prompts");
  await queue(page)
    .getByRole("listitem")
    .filter({ hasText: "second in line" })
    .getByRole("button", { name: "Remove from queue" })
    .click();
  await expect(queue(page)).toContainText("Queue paused · 2 prompts");
  model.reply({ text: "The first was answered." }, { text: "The third was answered." });
  await queue(page).getByRole("button", { name: "Run now" }).click();
  await expect(transcript(page)).toContainText("The third was answered.");
  await expect(queue(page)).toBeHidden();
  await expect(prompts(page)).toHaveCount(3);
  expect(model.requests).toHaveLength(3);
});

test("after a restart the list shows every session with its state and its cost", async ({
  session: page,
  model,
  server,
}) => {
  const list = page.getByRole("navigation", { name: "Sessions" });
  model.reply({ text: "Dear.", usage: { input: 400_000, output: 10_000 } });
  await prompt(page, "An expensive session");
  await expect(turnEnds(page, "end")).toBeVisible();
  const spent = await cost(page).innerText();
  expect(spent).not.toBe("$0.00");
  await page.getByRole("button", { name: "New session", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start session" }).click();
  model.reply({ text: ["Never ", "finished."], hangAfterChunks: 1 });
  await expect(cost(page)).toHaveText("$0.00");
  await prompt(page, "An unfinished session");
  await expect(transcript(page)).toContainText("Never");
  await expect(list.getByRole("link", { name: /An unfinished session.*working/ })).toBeVisible();
  await expect(list.getByRole("link", { name: /An expensive session.*idle/ })).toContainText(spent);

  await server.kill();
  await server.start();
  await expect(list.getByRole("link", { name: /An unfinished session.*interrupted/ })).toBeVisible();
  await expect(list.getByRole("link", { name: /An expensive session.*stopped/ })).toContainText(spent);
  await expect(list).toContainText("Connected");
  await list.getByRole("link", { name: /An expensive session/ }).click();
  await expect(transcript(page)).toContainText("Dear.");
  await expect(cost(page)).toHaveText(spent);
});

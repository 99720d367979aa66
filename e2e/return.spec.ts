// Sessions outlive pages: a reload, a second tab, a cut line. Nothing is lost and nothing comes twice.
import { type WebSocketRoute } from "@playwright/test";
import { composer, cost, expect, prompt, state, test, transcript, turnEnds } from "./story.ts";

test("a reload in the middle of an answer loses nothing", async ({ session: page, model }) => {
  model.reply(
    { text: "Looking.", toolCalls: [{ name: "bash", args: { command: "echo seen-before" } }] },
    { text: ["Before the reload, ", "after it."], hangAfterChunks: 1 },
  );
  await prompt(page, "Go on");
  await expect(transcript(page)).toContainText("Before the reload,");
  await page.reload();
  await expect(transcript(page)).toContainText("Before the reload,");
  await expect(page.locator('[data-tool="bash"]')).toHaveCount(1);
  await expect(state(page, "busy")).toBeVisible();
  model.release();
  await expect(transcript(page).getByText("Before the reload, after it.")).toBeVisible();
  await expect(turnEnds(page, "end")).toHaveCount(1);
  await expect(page.getByRole("article", { name: "Your prompt" })).toHaveCount(1);
});

test("two tabs on one session see the same, while it happens", async ({ session: page, context, model }) => {
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(page.getByText("2 viewers on this session")).toBeAttached();
  model.reply({ text: ["Seen ", "by both."], hangAfterChunks: 1, usage: { input: 1_000, output: 10 } });
  await prompt(other, "Who sees this?");
  for (const tab of [page, other]) {
    await expect(transcript(tab)).toContainText("Who sees this?");
    await expect(transcript(tab)).toContainText("Seen");
    await expect(state(tab, "busy")).toBeVisible();
  }
  await prompt(page, "and then");
  await expect(other.getByRole("region", { name: "Queue" })).toContainText("and then");
  model.release();
  for (const tab of [page, other]) {
    await expect(transcript(tab)).toContainText("Seen by both.");
    await expect(turnEnds(tab, "end")).toHaveCount(2);
  }
  expect(await cost(page).innerText()).toBe(await cost(other).innerText());
  expect(await transcript(page).innerText()).toBe(await transcript(other).innerText());
});

test("a page that attaches too often waits before it comes back", async ({ page, server }) => {
  let tries = 0;
  let refuse = false;
  await page.routeWebSocket(/\/socket/, (line) => {
    tries++;
    if (refuse) void line.close({ code: 1013 });
    else line.connectToServer();
  });
  await page.goto(await server.loginUrl());
  await page.getByRole("button", { name: /^Start without a prompt/ }).click();
  await expect(state(page, "idle")).toBeVisible();
  refuse = true;
  await page.clock.install();
  await page.reload();
  await expect.poll(() => tries).toBe(2);
  await expect(page.getByRole("status", { name: "Opening the session" })).toBeVisible();
  await page.clock.fastForward(2_000); // the clock also runs by itself
  expect(tries).toBe(2);
  refuse = false;
  await page.clock.fastForward(8_000);
  await expect(state(page, "idle")).toBeVisible();
  expect(tries).toBe(3);
});

test("a cut line is mended: what was missed arrives, what was written is sent once", async ({
  page,
  server,
  model,
}) => {
  const lines: WebSocketRoute[] = [];
  let open = true;
  await page.routeWebSocket(/\/socket/, (line) => {
    lines.push(line);
    if (open) line.connectToServer();
    else void line.close({ code: 1001 });
  });
  await page.goto(await server.loginUrl());
  await page.getByRole("button", { name: /^Start without a prompt/ }).click();
  model.reply(
    { text: ["Heard, ", "missed."], hangAfterChunks: 1 },
    { text: "The late prompt was answered." },
  );
  await prompt(page, "Begin");
  await expect(transcript(page)).toContainText("Heard,");

  open = false;
  await lines.at(-1)?.close({ code: 1001 });
  await expect(page.getByText("Disconnected. Reconnecting…")).toBeVisible();
  model.release();
  await prompt(page, "written while cut off");
  await expect(page.getByRole("region", { name: "Queue" })).toContainText("Not sent");

  open = true;
  await expect(transcript(page)).toContainText("Heard, missed.");
  await expect(page.getByText("Disconnected. Reconnecting…")).toBeHidden();
  await expect(transcript(page)).toContainText("The late prompt was answered.");
  await expect(page.getByRole("article", { name: "Your prompt" })).toHaveCount(2);
  expect(model.requests).toHaveLength(2);
  await expect(composer(page)).toHaveValue("");
});

test("[L76] a prompt on a line that only seems to live is shown as not sent, and sent once when the network is back", async ({
  session: page,
  model,
}) => {
  model.reply({ text: "Here I am." });
  const queue = page.getByRole("region", { name: "Queue" });
  // Nothing that the page writes arrives any more, and nobody tells it so.
  let dead = true;
  const lines: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/socket/, (line) => {
    const server = line.connectToServer();
    lines.push(line);
    line.onMessage((data) => {
      if (!dead) server.send(data);
    });
    server.onMessage((data) => line.send(data));
  });
  await page.reload();
  await expect(composer(page)).toBeVisible();
  await expect.poll(() => lines.length).toBe(1);
  await prompt(page, "Are you there?");
  await expect(queue).toContainText("Not sent");
  await expect(queue).toContainText("Are you there?");
  // The browser learns that the network is gone, and comes back by a new line.
  dead = false;
  await page.evaluate(() => window.dispatchEvent(new Event("offline")));
  await expect(transcript(page)).toContainText("Here I am.");
  await expect(queue).toBeHidden();
  expect(lines.length).toBe(2);
  await expect(page.getByRole("article", { name: "Your prompt" })).toHaveCount(1);
});

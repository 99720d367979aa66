// The main path: a prompt, the answer as it streams, the tools it calls, what it costs, and its ways to end.
import { composer, cost, expect, prompt, state, test, transcript, turnEnds } from "./story.ts";

const answer = "The answer is **forty-two**.\n\n```ts\nconst answer = 42;\n```\n\nThat is all.";

test("a prompt is answered while it streams, a tool is called, and the cost rises", async ({
  session: page,
  model,
}) => {
  model.reply(
    {
      thinking: "I should look first.",
      text: "I will look.",
      toolCalls: [{ name: "bash", args: { command: "echo from-the-shell; exit 3" } }],
      usage: { input: 900, output: 40, cache_read: 8_000 },
    },
    {
      text: [answer.slice(0, 20), answer.slice(20)],
      hangAfterChunks: 1,
      usage: { input: 1_000, output: 60 },
    },
  );
  await expect(cost(page)).toHaveText("$0.00");
  await prompt(page, "What is the answer?");

  // Held in the middle of the second call: the first part is there, the rest is not.
  await expect(transcript(page)).toContainText("The answer is");
  await expect(transcript(page)).not.toContainText("That is all.");
  await expect(state(page, "busy")).toBeVisible();
  await expect(page).toHaveTitle(/^working: /);
  const card = page.locator('[data-tool="bash"]');
  await expect(card).toHaveAttribute("data-state", "done");
  await expect(card).toContainText("exit 3");
  await expect(cost(page)).toHaveText(/^\$0\.0\d*[1-9]/);
  const before = await cost(page).innerText();

  model.release();
  await expect(transcript(page)).toContainText("That is all.");
  await expect(turnEnds(page, "end")).toContainText(/2 calls/);
  await expect(turnEnds(page, "end")).toContainText(/% cached/);
  await expect(state(page, "idle")).toBeVisible();
  expect(Number((await cost(page).innerText()).slice(1))).toBeGreaterThan(Number(before.slice(1)));

  await expect(transcript(page).locator("strong")).toHaveText("forty-two");
  await expect(transcript(page).locator(".hljs-keyword")).toHaveText("const");
  await expect(transcript(page).getByRole("button", { name: "Copy code" })).toBeVisible();
  await card.getByRole("button", { name: /bash/ }).click();
  await expect(card.getByRole("group", { name: "Output" })).toContainText("from-the-shell");
  await page.getByRole("button", { name: /^Thought/ }).click();
  await expect(transcript(page)).toContainText("I should look first.");
});

test("an edit is shown as a diff", async ({ session: page, model, server }) => {
  const { writeFile } = await import("node:fs/promises");
  await writeFile(`${server.cwd}/a.txt`, "one\ntwo\nthree\n");
  model.reply(
    {
      toolCalls: [{ name: "edit", args: { path: "a.txt", edits: [{ oldText: "two", newText: "2\n2.5" }] } }],
    },
    { text: "Done." },
  );
  await prompt(page, "Change it");
  await expect(turnEnds(page, "end")).toBeVisible();
  const card = page.locator('[data-tool="edit"]');
  await expect(card).toContainText("a.txt+2 −1");
  await card.getByRole("button").first().click();
  await expect(card.getByRole("group", { name: "Changes" })).toContainText("2.5");
});

for (const [how, stop] of [
  ["the stop button", "click"],
  ["Esc", "key"],
] as const) {
  test(`an answer is stopped in its middle with ${how}`, async ({ session: page, model }) => {
    model.reply({ text: ["Once upon ", "a time"], hangAfterChunks: 1 });
    await prompt(page, "Tell a story");
    await expect(transcript(page)).toContainText("Once upon");
    if (stop === "click") await page.getByRole("button", { name: "Stop", exact: true }).click();
    else await page.keyboard.press("Escape");
    await expect(turnEnds(page, "aborted")).toContainText("stopped");
    await expect(state(page, "idle")).toBeVisible();
    await expect(transcript(page)).toContainText("Once upon");
    await model.untilAborted(1);
    model.reply({ text: "Still here." });
    await prompt(page, "And now?");
    await expect(transcript(page)).toContainText("Still here.");
  });
}

test("[P245] [P286] [P287] commands of the page are carried out, and not sent: compact, rename, files, clear", async ({
  session: page,
  model,
}) => {
  const compact = page.getByRole("button", { name: "Compact the context" });
  for (const word of ["first", "second", "third"]) {
    await expect(compact).toBeDisabled(); // there is nothing that it would not keep
    model.reply({ text: `The ${word} answer.` });
    await prompt(page, `The ${word} question`);
    await expect(transcript(page)).toContainText(`The ${word} answer.`);
    await expect(state(page, "idle")).toBeVisible();
  }
  model.reply({ text: "Three questions were asked." });
  await composer(page).pressSequentially("/comp");
  const menu = page.getByRole("listbox", { name: "Commands" });
  await expect(menu.getByRole("option", { name: /^\/compact.*Patchbay$/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await composer(page).press("Enter");
  const mark = page.getByRole("button", { name: /^Context compacted/ });
  await mark.click();
  await expect(transcript(page)).toContainText("Three questions were asked.");
  await expect(composer(page)).toHaveValue("");
  await expect(compact).toBeDisabled();
  const asked = model.requests.length;
  await prompt(page, "/rename Three questions");
  await expect(page.getByRole("heading", { name: "Three questions" })).toBeVisible();
  await prompt(page, "/files");
  await expect(page.getByRole("complementary").getByRole("tab", { name: "Files" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await prompt(page, "/costs are too high");
  await expect(page.getByRole("alert").filter({ hasText: "/costs is used on its own" })).toBeVisible();
  await expect(composer(page)).toHaveValue("/costs are too high");
  const before = page.url();
  await prompt(page, "/clear");
  await expect(page).not.toHaveURL(before);
  await expect(composer(page)).toHaveValue("");
  await expect(page.getByRole("link", { name: /^Three questions/ })).toBeVisible();
  await expect(transcript(page)).toBeHidden();
  expect(model.requests.length).toBe(asked);
});

test("a cleared transcript is gone from the screen and from the agent, but not from the cost", async ({
  session: page,
  model,
}) => {
  model.reply({ text: "Noted.", usage: { input: 5_000, output: 100 } });
  await prompt(page, "The secret word is swordfish");
  await expect(turnEnds(page, "end")).toBeVisible();
  const spent = await cost(page).innerText();
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Clear the transcript" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Clear" }).click();
  await expect(page.getByRole("heading", { name: "What should the agent do?" })).toBeVisible();
  expect(await cost(page).innerText()).toBe(spent);
  model.reply({ text: "Which word?" });
  await prompt(page, "Say the word");
  await expect(transcript(page)).toContainText("Which word?");
  expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain("swordfish");
});

test("prompts written while the agent works wait in a queue that can be edited", async ({
  session: page,
  model,
}) => {
  model.reply({ text: ["I am at ", "it."], hangAfterChunks: 1 }, { text: "The kept one was answered." });
  await prompt(page, "Begin");
  await expect(transcript(page)).toContainText("I am at");
  await prompt(page, "keep this");
  await prompt(page, "drop this");
  const queue = page.getByRole("region", { name: "Queue" });
  await expect(queue.getByRole("listitem")).toHaveCount(2);
  await queue
    .getByRole("listitem")
    .filter({ hasText: "drop this" })
    .getByRole("button", { name: "Remove from queue" })
    .click();
  await expect(queue.getByRole("listitem")).toHaveCount(1);
  model.release();
  await expect(transcript(page)).toContainText("The kept one was answered.");
  await expect(queue).toBeHidden();
  await expect(transcript(page)).not.toContainText("drop this");
  expect(model.requests).toHaveLength(2);
});

test("an error of the model is told in words, and the session goes on", async ({ session: page, model }) => {
  model.reply({
    status: 401,
    body: '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
  });
  await prompt(page, "Hello");
  await expect(page.locator("[data-alarm]")).toContainText("The turn ended with an error");
  const failure = page.getByRole("group", { name: "The turn ended with an error" });
  await expect(failure).toContainText("invalid x-api-key");
  await expect(failure.getByRole("link", { name: "Agents and models" })).toBeVisible();
  model.reply({ text: "Better now." });
  await prompt(page, "Again");
  await expect(transcript(page)).toContainText("Better now.");
});

test("Shift+Enter makes a new line, and a draft survives a reload", async ({ session: page }) => {
  await composer(page).fill("first line");
  await composer(page).press("Shift+Enter");
  await composer(page).pressSequentially("second line");
  await page.reload();
  await expect(composer(page)).toHaveValue("first line\nsecond line");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("[L77] long prompts fold, wide tables scroll, scripts run their own way, and the clock survives a reload", async ({
    session: page,
    model,
  }) => {
    const columns = Array.from({ length: 12 }, (_, at) => `column ${at}`);
    const row = (cells: string[]): string => `| ${cells.join(" | ")} |`;
    const table = [row(columns), row(columns.map(() => "---")), row(columns.map(() => "rather many words"))];
    model.reply({ text: `مرحبا بالعالم\n\n- שלום\n\nPlain words.\n\n${table.join("\n")}` });
    await prompt(page, `Read this log:\n${"one line of it\n".repeat(60)}`);
    await expect(turnEnds(page, "end")).toHaveCount(1);
    const words = (text: string) => transcript(page).getByText(text, { exact: true });
    await expect(words("مرحبا بالعالم")).toHaveCSS("direction", "rtl");
    await expect(words("שלום")).toHaveCSS("direction", "rtl");
    await expect(words("Plain words.")).toHaveCSS("direction", "ltr");
    const cells = transcript(page).getByRole("cell", { name: "rather many words" });
    const widths = await cells.evaluateAll((all) => all.map((cell) => cell.clientWidth));
    expect(Math.min(...widths)).toBeGreaterThan(50); // no word is broken for want of room
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over).toBe(0);

    const asked = page.getByRole("article", { name: "Your prompt" }).first();
    await transcript(page).focus();
    await page.keyboard.press("Home");
    const folded = (await asked.boundingBox())?.height ?? 0;
    await asked.getByRole("button", { name: /^Show all \d+ lines/ }).click();
    await expect.poll(async () => (await asked.boundingBox())?.height ?? 0).toBeGreaterThan(folded * 2);
    await asked.getByRole("button", { name: "Show less" }).click();
    await expect.poll(async () => (await asked.boundingBox())?.height ?? 0).toBe(folded);

    model.reply({ text: ["At ", "it."], hangAfterChunks: 1 });
    await prompt(page, "Begin");
    await expect(transcript(page)).toContainText("At");
    await page.clock.setFixedTime(Date.now() + 5 * 60_000);
    await page.reload();
    await expect(transcript(page).getByRole("status")).toContainText(/Working.*5 min/);
    model.release();
  });
});

// What a person sees of the machinery: what a worker uses, a disk that is full, a worker that does not
// answer.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEveryWorker } from "../testing/src/every-worker.ts";
import { fixtureWorker, startServer } from "../testing/src/server-process.ts";
import { promptFor } from "../testing/workers/scene.mjs";
import { expect, prompt, startSession, state, test, transcript, turnEnds } from "./story.ts";

test("the details tell what the worker is and what it uses", async ({ session: page, model, server }) => {
  model.reply({ text: "Ready." });
  await prompt(page, "Wake up");
  await expect(turnEnds(page, "end")).toBeVisible();
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Details" }).click();
  const details = page.getByRole("dialog", { name: "Session details" });
  await expect(details).toContainText(server.cwd);
  await expect(details).toContainText("Built-in agent");
  await expect(details).toContainText("claude");
  await expect(details).toContainText(/CPU\d+ %/);
  await expect(details).toContainText(/Memory\d+ MB/);
  await page.keyboard.press("Escape");
  await expect(details).toBeHidden();

  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Shut down the agent" }).click();
  await expect(state(page, "stopped")).toBeVisible();
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Details" }).click();
  await expect(details).toContainText("None. The next prompt starts the agent.");
  await expect(details).not.toContainText("Memory");
});

test("[Z401] the details of an agent that is no process of ours say so, and a call of its that needs approval waits on the page", async ({
  page,
}) => {
  await using every = await startEveryWorker({ default_worker: "zeroclaw" });
  await page.goto(await every.server.loginUrl());
  await startSession(page);
  await expect(state(page, "idle")).toBeVisible();
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Details" }).click();
  const details = page.getByRole("dialog", { name: "Session details" });
  await expect(details).toContainText("ProcessNone of ours");
  await expect(details).not.toContainText("being measured");
  await page.keyboard.press("Escape");

  // Its approvals come without the call, which is shown all the same.
  await prompt(page, promptFor([{ ask: true }, { say: ["Thank you."] }]));
  const call = transcript(page).locator("[data-state=waiting]");
  await expect(call).toContainText("waiting for you");
  const card = page.getByRole("region", { name: "The agent asks" });
  await expect(card).toContainText("make deploy");
  await card
    .getByRole("button", { name: /^Allow/ })
    .first()
    .click();
  await expect(transcript(page).getByText("Thank you.", { exact: true })).toBeVisible();
  await expect(transcript(page).locator("[data-tool=bash]")).toContainText("make deploy");
  await expect(transcript(page).locator("[data-tool]")).toHaveCount(1);

  await prompt(page, promptFor([{ ask: true }]));
  await expect(call).toContainText("waiting for you");
  await page.keyboard.press("Escape");
  const stopped = transcript(page).locator("[data-tool=bash]").last();
  await expect(stopped).toContainText("make deploy");
  await expect(stopped).toContainText("stopped");
});

test("a log that cannot be written is told, and the answer goes on when it can", async ({
  session: page,
  model,
  server,
}) => {
  test.skip(process.platform !== "linux", "only Linux can take away a running process's right to write");
  const limitFiles = (bytes: string): void => {
    execFileSync("prlimit", ["--pid", String(server.process.pid), `--fsize=${bytes}`]);
  };
  model.reply({ text: ["Before, ", "and after."], hangAfterChunks: 1 });
  await prompt(page, "Write to a full disk");
  await expect(transcript(page)).toContainText("Before,");
  limitFiles("1:unlimited");
  model.release();
  const trouble = page.getByRole("alert", { name: "Server problem" });
  await expect(trouble).toContainText("Nothing can be saved.");
  await expect(trouble).toContainText("The log cannot be written");
  await expect(transcript(page)).not.toContainText("and after.");
  limitFiles("unlimited:unlimited");
  await expect(transcript(page)).toContainText("Before, and after.");
  await expect(turnEnds(page, "end")).toBeVisible();
  await expect(trouble).toBeHidden();
});

test.describe("a worker that takes a command and says nothing", () => {
  test.use({ worker: "actor" });

  test("does not keep anybody waiting for ever", async ({ page, server }) => {
    await page.clock.install();
    await page.goto(await server.loginUrl());
    await page.getByRole("button", { name: /^Start without a prompt/ }).click();
    await prompt(page, "say hello");
    await expect(turnEnds(page, "end")).toBeVisible();
    const silence = "The agent has not answered for 20 seconds.";

    await page.getByRole("button", { name: /^Model:/ }).click();
    await expect(page.getByText("Loading models…")).toBeVisible();
    await page.clock.fastForward(20_000);
    await expect(page.getByText(silence)).toBeVisible();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Session menu" }).click();
    await page.getByRole("menuitem", { name: "Clear the transcript" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Clear" }).click();
    await expect(dialog.getByRole("button", { name: "Clear" })).toBeDisabled();
    await page.clock.fastForward(20_000);
    await expect(dialog.getByRole("alert")).toContainText(silence);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    await prompt(page, "say still here");
    await expect(transcript(page)).toContainText("still here");
  });
});

test("[G17] a prompt that may already have run waits for the person's decision", async ({ page }) => {
  await using server = await startServer({
    config: { default_worker: "careful", workers: { careful: { command: fixtureWorker("careful") } } },
  });
  for (const file of ["hello", "take"]) writeFileSync(join(server.cwd, file), "");
  await page.goto(await server.loginUrl());
  await startSession(page);
  await expect(state(page, "idle")).toBeVisible();
  await prompt(page, "vanish once");
  const undecided = page.getByRole("group", { name: "A prompt that may already have run" });
  await expect(undecided).toContainText("vanish once");
  await expect(page.getByRole("button", { name: "Run now" })).toBeHidden();
  await prompt(page, "effect next");
  await expect(turnEnds(page, "end")).toBeVisible();
  await expect(undecided).toBeVisible();
  const effects = () => readFileSync(join(server.cwd, "effects"), "utf8").trim().split("\n");
  expect(effects()).toEqual(["once", "next"]);
  await undecided.getByRole("button", { name: "Run again" }).click();
  await expect.poll(effects).toEqual(["once", "next", "once"]);
  await undecided.getByRole("button", { name: "Discard" }).click();
  await expect(undecided).toBeHidden();
});

// What protects a person is on the page: whether the agent is sandboxed and when it asks, one click from being changed; why
// there is no sandbox; a home of an earlier version; and what is asked before an agent starts.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSandbox } from "../packages/sandbox/src/index.ts";
import { makeOldHome } from "../testing/src/old-home.ts";
import { fixtureWorker, startServer } from "../testing/src/server-process.ts";
import { temporaryDirectory } from "../testing/src/test-run.ts";
import { violations } from "./axe.ts";
import { composer, expect, prompt, startSession, state, test, transcript } from "./story.ts";

const problem = await findSandbox(process.env["PATH"] ?? "").then((found) =>
  found.works ? null : found.problem,
);

const sandbox = /^Sandbox: /;
const approvals = /^Approvals: /;

test("[Y97] the agent is sandboxed and does not ask; one click changes either, also when its worker has ended", async ({
  session: page,
  server,
  model,
}) => {
  test.skip(problem !== null, `no sandbox: ${problem}`);
  await expect(page.getByRole("button", { name: "Sandbox: Sandboxed" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Approvals: Don't ask" })).toBeVisible();
  const look = {
    toolCalls: [{ name: "bash", args: { command: `cat ${server.home}/.patchbay/token; echo over` } }],
  };
  model.reply(look, { text: "I saw nothing." }, look, { text: "I saw it." });
  await prompt(page, "look around");
  await expect(transcript(page).getByText("I saw nothing.")).toBeVisible();
  const [session] = ((await server.call("GET", "/api/sessions")).body as { sessions: { id: string }[] })
    .sessions;
  await server.call("POST", `/api/sessions/${session?.id}/stop`);
  await expect(state(page, "stopped")).toBeVisible();
  await page.getByRole("button", { name: sandbox }).click();
  await page.getByRole("menuitemradio", { name: /^Not sandboxed/ }).click();
  await expect(page.getByRole("button", { name: "Sandbox: Not sandboxed" })).toBeVisible();
  await page.getByRole("button", { name: approvals }).click();
  await page.getByRole("menuitemradio", { name: /^Ask before commands/ }).click();
  await expect(page.getByRole("button", { name: "Approvals: Ask before commands" })).toBeVisible();
  await prompt(page, "look again");
  await expect(page.getByRole("region", { name: "The agent asks" })).toContainText("Run this command?");
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect(transcript(page).getByText("I saw it.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Sandbox: Not sandboxed" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("[Y97] a question that is asked in any case says why", async ({ session: page, model }) => {
  const write = { name: "write", args: { path: ".git/hooks/pre-commit", content: "echo later" } };
  model.reply({ toolCalls: [write] }, { text: "As you wish." });
  await prompt(page, "add a hook");
  const question = page.getByRole("region", { name: "The agent asks" });
  await expect(question).toContainText("You are asked because git runs or reads it with every command.");
  await expect(question.getByRole("button", { name: /allow/i })).toHaveText([/^Allow once/]);
  await question.getByRole("button", { name: "Deny" }).click();
  await expect(transcript(page).getByText("As you wish.")).toBeVisible();
});

/** A PATH with what a shell needs, and no bubblewrap. */
function pathWithout(): string {
  const directory = temporaryDirectory("path");
  for (const name of ["sh", "bash", "cat", "env", "git", "ls"])
    symlinkSync(`/usr/bin/${name}`, join(directory, name));
  return directory;
}

test("[Y97] without a sandbox the page says why and how to get one, and commands ask", async ({
  page,
  model,
}) => {
  await using server = await startServer({
    env: {
      PATH: pathWithout(),
      ANTHROPIC_API_KEY: "not-a-real-key",
      ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic`,
    },
  });
  await page.goto(await server.loginUrl());
  await startSession(page);
  await expect(page.getByRole("button", { name: "Approvals: Ask before commands" })).toBeVisible();
  await page.getByRole("button", { name: "Sandbox: Not sandboxed" }).click();
  await expect(page.getByText(/bubblewrap is not installed/)).toBeVisible();
  await expect(page.getByText(/apt install bubblewrap/)).toBeVisible();
  await page.getByRole("menuitem", { name: "About the sandbox" }).click();
  await expect(page.getByRole("region", { name: "Safety" })).toContainText("No sandbox on this machine");
  expect(await violations(page)).toEqual([]);
});

test("[Y98] a home of an earlier version is offered the sandbox once, and has it after one click", async ({
  page,
  model,
}) => {
  test.skip(problem !== null, `no sandbox: ${problem}`);
  await using server = await startServer({
    prepare: makeOldHome,
    env: { ANTHROPIC_API_KEY: "not-a-real-key", ANTHROPIC_BASE_URL: `${model.baseUrl}/anthropic` },
  });
  await page.goto(await server.loginUrl());
  await startSession(page);
  await expect(page.getByRole("button", { name: "Sandbox: Not sandboxed" })).toBeVisible();
  const hint = page.getByRole("region", { name: "Sandbox new sessions?" });
  await expect(hint).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await hint.getByRole("button", { name: "Turn on" }).click();
  await expect(hint).toBeHidden();
  await page.getByRole("link", { name: "Patchbay" }).click();
  await startSession(page);
  await expect(page.getByRole("button", { name: "Sandbox: Sandboxed" })).toBeVisible();
  await page.goto(`${server.url}/setup`);
  await expect(page.getByRole("region", { name: "Safety" })).toContainText(
    "can reach only its own directory",
  );
});

test("[Y98] not now is kept, on every device", async ({ page }) => {
  await using server = await startServer({ prepare: makeOldHome });
  await page.goto(await server.loginUrl());
  const hint = page.getByRole("region", { name: /new sessions\?|before commands\?/ });
  await hint.getByRole("button", { name: "Not now" }).click();
  await expect(hint).toBeHidden();
  const asked = page.waitForResponse((response) => response.url().endsWith("/api/safety"));
  await page.reload();
  await asked;
  await expect(hint).toBeHidden();
});

test("[Y97] another agent shows where it runs, and its directory's code is asked about before it starts", async ({
  page,
}) => {
  await using server = await startServer({
    config: {
      default_worker: "zot",
      workers: { zot: { dialect: "zot", command: fixtureWorker("eager", ".zot/extensions/x/run.sh") } },
    },
  });
  mkdirSync(join(server.cwd, ".zot/extensions/x"), { recursive: true });
  writeFileSync(join(server.cwd, ".zot/extensions/x/run.sh"), "true\n");
  await page.goto(await server.loginUrl());
  await startSession(page);
  const question = page.getByRole("region", { name: "The agent asks" });
  await expect(question).toContainText("Trust this directory?");
  await expect(question).toContainText(".zot/extensions");
  await expect(state(page, "waiting")).toBeVisible();
  await expect(page.getByText("Not sandboxed", { exact: true })).toBeVisible();
  await composer(page).fill("say hello");
  await composer(page).press("Enter");
  await question.getByRole("button", { name: "Start without them" }).click();
  await expect(transcript(page).getByText("hello", { exact: true })).toBeVisible();
});

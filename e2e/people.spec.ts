// A team on one server: inviting somebody, choosing a password, one's own account, sharing a session, and the end of an account.

import type { Browser, Locator, Page } from "@playwright/test";
import { codeAt } from "../apps/server/src/access/accounts/totp.ts";
import { composer, expect, prompt, startSession, test, transcript, turnEnds } from "./story.ts";

const password = "a rather long passphrase";
const settings = (page: Page) => page.getByRole("dialog", { name: "Settings" });
const home = (page: Page) => page.getByRole("button", { name: /^Start without a prompt/ });

async function openSettings(page: Page, tab: string): Promise<Locator> {
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await settings(page).getByRole("tab", { name: tab }).click();
  return settings(page);
}

/** Invites somebody in the page; returns the link. */
async function invite(page: Page, { name, first }: { name: string; first: boolean }): Promise<string> {
  const dialog = await openSettings(page, first ? "Invite your team" : "People");
  await dialog.getByLabel("Full name").fill(name);
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(dialog.getByText(`Send this link to ${name}`)).toBeVisible();
  await expect(dialog.getByRole("img", { name: `QR code of the invitation for ${name}` })).toBeVisible();
  const link = await dialog.getByText(/#invitation=/).textContent();
  await page.keyboard.press("Escape");
  return link ?? "";
}

async function accept(browser: Browser, link: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Set password and log in" }).click();
  return page;
}

test("[X200] [X205] the first invitation makes a team; the link lets in once, and then name and password do", async ({
  page,
  server,
  browser,
}) => {
  await page.goto(await server.loginUrl());
  await expect(home(page)).toBeEnabled();
  const link = await invite(page, { name: "Ada Lovelace", first: true });
  expect(link.startsWith(`${server.url}/#invitation=`)).toBe(true);
  const opened = await (await browser.newContext()).newPage();
  await opened.goto(link);
  await expect(opened.getByRole("heading", { name: "Welcome, Ada Lovelace" })).toBeVisible();
  expect(opened.url()).toBe(`${server.url}/`);
  await opened.getByLabel("Password").fill("password123");
  await opened.getByRole("button", { name: "Set password and log in" }).click();
  await expect(opened.getByText("among the first that are tried")).toBeVisible();
  await opened.getByLabel("Password").fill(password);
  await opened.getByRole("button", { name: "Set password and log in" }).click();
  await expect(home(opened)).toBeEnabled();

  const again = await (await browser.newContext()).newPage();
  await again.goto(link);
  await expect(again.getByRole("alert")).toContainText("already used");
  await again.getByRole("link", { name: "Go to the login" }).click();
  await again.getByLabel("Name", { exact: true }).fill("ada");
  await again.getByLabel("Password").fill("not the password");
  await again.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(again.getByText("Wrong name or password.")).toBeVisible();
  await again.getByLabel("Password").fill(password);
  await again.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(home(again)).toBeEnabled();
});

test("[X206] [X115] one's account: a new password, and a token that is shown once", async ({
  page,
  server,
  browser,
}) => {
  await page.goto(await server.loginUrl());
  const ada = await accept(browser, await invite(page, { name: "Ada", first: true }));
  await expect(home(ada)).toBeEnabled();
  const dialog = await openSettings(ada, "My account");
  await dialog.getByLabel("Current password").fill("wrong wrong wrong");
  await dialog.getByLabel("New password").fill("another passphrase");
  await dialog.getByRole("button", { name: "Change password" }).click();
  await expect(dialog.getByText("This is not your password.")).toBeVisible();
  await dialog.getByLabel("Current password").fill(password);
  await dialog.getByRole("button", { name: "Change password" }).click();
  await expect(dialog.getByText("Password saved.")).toBeVisible();
  await dialog.getByLabel("Name of the token").fill("laptop script");
  await dialog.getByRole("button", { name: "Create token" }).click();
  const token = (await dialog.getByText(/^pbt_/).textContent()) ?? "";
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${server.url}/api/sessions`, { headers })).status).toBe(200);
  await ada.keyboard.press("Escape");
  await openSettings(ada, "My account");
  await expect(dialog.getByText(/^pbt_/)).toHaveCount(0);
  await dialog.getByRole("button", { name: "Revoke laptop script" }).click();
  await expect(dialog.getByText("laptop script")).toHaveCount(0);
  expect((await fetch(`${server.url}/api/sessions`, { headers })).status).toBe(401);
});

test("[X114] [X202] an admin resets and disables a person, who is logged out at once", async ({
  page,
  server,
  browser,
}) => {
  await page.goto(await server.loginUrl());
  const ada = await accept(browser, await invite(page, { name: "Ada", first: true }));
  await expect(home(ada)).toBeEnabled();
  const dialog = await openSettings(page, "People");
  await dialog.getByRole("button", { name: "Change Ada" }).click();
  await dialog.getByRole("button", { name: "Reset" }).click();
  await page
    .getByRole("dialog", { name: "Reset the login of Ada?" })
    .getByRole("button", { name: "Reset" })
    .click();
  await expect(dialog.getByText("Send this link to Ada")).toBeVisible();
  await expect(ada.getByRole("heading", { name: "Log in again" })).toBeVisible();
  const link = (await dialog.getByText(/#invitation=/).textContent()) ?? "";
  await ada.goto(link);
  await ada.getByLabel("Password").fill(password);
  await ada.getByRole("button", { name: "Set password and log in" }).click();
  await expect(home(ada)).toBeEnabled();
  await dialog.getByRole("button", { name: "Change Ada" }).click();
  await dialog.getByRole("button", { name: "Disable" }).click();
  const asks = page.getByRole("dialog", { name: "Disable Ada?" });
  await expect(asks).toContainText("the agents of their sessions stop");
  await asks.getByRole("button", { name: "Disable" }).click();
  await expect(ada.getByRole("heading", { name: "Log in again" })).toBeVisible();
  await expect(dialog.getByRole("listitem", { name: "Ada" })).toContainText("disabled");
});

test("[X208] a phone is logged in with the code in Settings", async ({ page, server, browser }) => {
  await page.goto(await server.loginUrl());
  await expect(home(page)).toBeEnabled();
  const dialog = await openSettings(page, "General");
  await dialog.getByRole("button", { name: "Log in a phone" }).click();
  await expect(dialog.getByRole("img", { name: "QR code that logs a phone in" })).toBeVisible();
  const link = (await dialog.getByText(/#code=/).textContent()) ?? "";
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto(link);
  await expect(home(phone)).toBeEnabled();
  await expect(dialog.getByRole("button", { name: /^Revoke / })).toHaveCount(1); // it appears in the list
});

test("[X240] [X241] a session that is shared can be watched, then driven, and is gone when it is private again", async ({
  page,
  server,
  browser,
}) => {
  await page.goto(await server.loginUrl());
  const ada = await accept(browser, await invite(page, { name: "Ada", first: true }));
  await expect(home(ada)).toBeEnabled();
  await startSession(page);
  await prompt(page, "Say something about retries");
  await expect(turnEnds(page, "end")).toBeVisible();
  await ada.goto(page.url());
  await expect(ada.getByText("No sessions yet.")).toBeVisible();
  await expect(transcript(ada)).toHaveCount(0);

  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Share…" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this session" });
  await expect(dialog).toContainText("Only you see this session.");
  await dialog.getByLabel("Right of Everybody in the team").selectOption("watch");
  await expect(dialog).toContainText("Can watch: Read the transcript.");
  await ada.reload();
  await expect(transcript(ada)).toContainText("Say something about retries");
  const { me } = (await server.call("GET", "/api/people")).body as { me: { name: string } };
  await expect(ada.getByText(`You are watching. ${me.name} can let you drive.`)).toBeVisible();
  await expect(composer(ada)).toHaveCount(0);
  await ada.getByRole("button", { name: "Session menu" }).click();
  await expect(ada.getByRole("menuitem", { name: "Delete the session" })).toBeDisabled();
  await ada.keyboard.press("Escape");

  await dialog.getByLabel("Share with").selectOption({ label: "Ada" });
  await dialog.getByLabel("Right of Ada").selectOption("drive");
  await prompt(ada, "Say it again");
  await expect(turnEnds(page, "end")).toHaveCount(2);
  await dialog.getByRole("button", { name: "Stop sharing with Ada" }).click();
  await dialog.getByLabel("Right of Everybody in the team").selectOption("");
  await expect(composer(ada)).toHaveCount(0);
  await page.keyboard.press("Escape");
});

test("[X242] who may drive can deny, and is told who may allow", async ({ page, server, browser, model }) => {
  await page.goto(await server.loginUrl());
  const ada = await accept(browser, await invite(page, { name: "Ada", first: true }));
  await expect(home(ada)).toBeEnabled();
  await startSession(page);
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Share…" }).click();
  await page.getByLabel("Right of Everybody in the team").selectOption("drive");
  await page.keyboard.press("Escape");
  await ada.goto(page.url());
  const write = { name: "write", args: { path: ".git/hooks/pre-commit", content: "echo later" } };
  model.reply({ toolCalls: [write] }, { text: "As you wish." });
  await prompt(ada, "add a hook");
  const question = ada.getByRole("region", { name: "The agent asks" });
  await expect(question).toContainText("You may deny this. Only");
  await expect(question.getByRole("button", { name: /allow/i })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Allow once/ })).toBeVisible();
  await question.getByRole("button", { name: "Deny" }).click();
  await expect(transcript(page).getByText("As you wish.")).toBeVisible();
});

test("[X210] with an authenticator app the login asks for a code after the password", async ({
  page,
  server,
  browser,
}) => {
  await page.goto(await server.loginUrl());
  const ada = await accept(browser, await invite(page, { name: "Ada", first: true }));
  await expect(home(ada)).toBeEnabled();
  const dialog = await openSettings(ada, "My account");
  await dialog.getByRole("button", { name: "Set up an app" }).click();
  await expect(dialog.getByRole("img", { name: "QR code for an authenticator app" })).toBeVisible();
  const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? "";
  const key = fromBase32(secret);
  const step = Math.floor(Date.now() / 30_000);
  await dialog.getByLabel("Code", { exact: true }).fill(codeAt(key, step - 1));
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByText("Keep these recovery codes.")).toBeVisible();
  const other = await (await browser.newContext()).newPage();
  await other.goto(server.url);
  await other.getByLabel("Name", { exact: true }).fill("ada");
  await other.getByLabel("Password").fill(password);
  await other.getByRole("button", { name: "Log in", exact: true }).click();
  await other.getByLabel("Code of your authenticator app").fill(codeAt(key, step));
  await other.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(home(other)).toBeEnabled();
});

function fromBase32(text: string): Buffer {
  const bits = Array.from(text).map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  return Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

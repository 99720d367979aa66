// Logging in, with a link and with the token; being logged out while one works; and the devices that are logged in.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { composer, expect, startSession, state, test } from "./story.ts";

const loginHeading = (page: Page, name = "Log in") => page.getByRole("heading", { name, exact: true });
const home = (page: Page) => page.getByRole("button", { name: /^Start without a prompt/ });

test("without a login there is a page that explains itself, and a pasted link lets in", async ({
  page,
  server,
}) => {
  await page.goto(server.url);
  await expect(loginHeading(page)).toBeVisible();
  await expect(page.getByText("npx patchbay login")).toBeVisible();
  await page.getByLabel("Login link or token").fill(await server.loginUrl());
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(home(page)).toBeEnabled();
});

test("[X37] a login link logs in once, leaves no code in the address, and the login outlives a reload", async ({
  page,
  server,
  browser,
}) => {
  const link = await server.loginUrl();
  await page.goto(link);
  await expect(home(page)).toBeEnabled();
  expect(page.url()).toBe(`${server.url}/`);
  await page.reload();
  await expect(home(page)).toBeEnabled();
  // In a tab that shows the page already, a link changes nothing but what is after the #.
  await page.goto(await server.loginUrl());
  await expect(page).toHaveURL(`${server.url}/`);
  await expect(home(page)).toBeEnabled();
  const { body } = await server.call("GET", "/api/logins");
  expect(body).toMatchObject({ logins: [expect.anything()] });
  const elsewhere = await browser.newPage();
  await elsewhere.goto(link);
  await expect(loginHeading(elsewhere)).toBeVisible();
  await expect(elsewhere.getByRole("alert")).toContainText("was already used or has expired");
  expect(elsewhere.url()).toBe(`${server.url}/`);
  await elsewhere.goto(await server.loginUrl());
  await expect(home(elsewhere)).toBeEnabled();
  await elsewhere.close();
});

test("[X37] a link to a session leads there after the login, by token and by link", async ({
  session: page,
  browser,
  server,
}) => {
  const address = page.url();
  for (const how of ["token", "link"]) {
    const context = await browser.newContext();
    const other = await context.newPage();
    await other.goto(address);
    await expect(loginHeading(other)).toBeVisible();
    if (how === "token") {
      await other.getByLabel("Login link or token").fill(server.token);
      await other.getByRole("button", { name: "Log in" }).click();
    } else await other.goto(`${address}#${(await server.loginUrl()).split("#")[1] ?? ""}`);
    await expect(composer(other)).toBeVisible();
    expect(other.url()).toBe(address);
    await context.close();
  }
});

test("[X37] a wrong token says so and does not let in; an old link says what to do", async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/costs?token=${server.token}&range=7d`);
  await expect(page.getByRole("alert")).toContainText("no longer log in");
  expect(page.url()).toBe(`${server.url}/costs?range=7d`);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText("Paste a login link or the token.")).toBeVisible();
  await page.getByLabel("Login link or token").fill("wrong-token");
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText("Wrong token.")).toBeVisible();
  await expect(loginHeading(page)).toBeVisible();
  expect(await page.evaluate(async () => (await fetch("/api/sessions")).status)).toBe(401);
});

test("[X38] a device that is revoked asks for a login at once, and is back where it was after it", async ({
  session: page,
  server,
}) => {
  await composer(page).fill("A draft that is not lost");
  const address = page.url();
  const { body } = await server.call("GET", "/api/logins");
  const [login] = (body as { logins: { id: string }[] }).logins;
  await server.call("DELETE", `/api/logins/${login?.id}`);
  await expect(loginHeading(page, "Log in again")).toBeVisible({ timeout: 2_000 });
  await expect(page.getByText("Agents keep working")).toBeVisible();
  await page.getByLabel("Login link or token").fill(await server.loginUrl());
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(composer(page)).toHaveValue("A draft that is not lost");
  expect(page.url()).toBe(address);
});

test("[X38] a login in one tab is one in all of them", async ({ session: page, context, server }) => {
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(composer(other)).toBeVisible();
  await page.bringToFront(); // a page in the background draws once a second
  await server.call("DELETE", "/api/logins");
  await expect(loginHeading(page, "Log in again")).toBeVisible();
  await expect(loginHeading(other, "Log in again")).toBeVisible();
  await page.getByLabel("Login link or token").fill(server.token);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(composer(page)).toBeVisible();
  await expect(composer(other)).toBeVisible();
});

test("[X38] a page whose login ended while the server was away learns it from the first refused socket", async ({
  session: page,
  server,
}) => {
  await expect(state(page, "idle")).toBeVisible();
  await server.kill();
  // Every login that was idle for more than a millisecond has expired at the next start.
  const config = join(server.home, ".patchbay/patchbay.config.json");
  writeFileSync(config, JSON.stringify({ limits: { login_idle_ms: 1 } }));
  await server.start();
  await expect(loginHeading(page, "Log in again")).toBeVisible();
});

test("[X39] devices are listed, others can be revoked, and this one logged out", async ({
  page,
  browser,
  server,
}) => {
  await page.goto(await server.loginUrl());
  await expect(home(page)).toBeEnabled();
  const phone = await browser.newContext({
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  });
  const other = await phone.newPage();
  await other.goto(await server.loginUrl());
  await expect(home(other)).toBeEnabled();
  await page.getByRole("button", { name: "Settings" }).click();
  const devices = page.getByRole("region", { name: "Devices" });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
  await expect(devices.getByRole("listitem").filter({ hasText: "This device" })).toContainText("Chrome");
  const row = devices.getByRole("listitem").filter({ hasText: "Safari on iPhone" });
  await row.getByRole("button", { name: "Revoke Safari on iPhone" }).click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(loginHeading(other, "Log in again")).toBeVisible();
  await phone.close();
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(loginHeading(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("patchbay.login"))).toBeNull();
  const { body } = await server.call("GET", "/api/logins");
  expect(body).toEqual({ logins: [] });
});

test("[X37] starts a session right after the first login", async ({ page, server }) => {
  await page.goto(server.url);
  await page.getByLabel("Login link or token").fill(server.token);
  await page.getByLabel("Login link or token").press("Enter");
  await startSession(page);
});

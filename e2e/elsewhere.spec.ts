// Patchbay below a path of somebody else's name, installed, on a phone, and without its server.
import { expect, test } from "@playwright/test";
import { startServer } from "../testing/src/server-process.ts";
import { prompt, startSession, transcript, turnEnds } from "./story.ts";

test("[P224] below a path, installed on a phone: everything works, a swipe goes back, and a lost server is said", async ({
  browser,
}) => {
  await using server = await startServer({
    config: { base_path: "/team/patchbay" },
    env: { PATCHBAY_DEMO_DELAY_MS: "1" },
  });
  const context = await browser.newContext({
    serviceWorkers: "allow",
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  const strangers: string[] = [];
  page.on("request", (request) => {
    if (!new URL(request.url()).pathname.startsWith("/team/patchbay")) strangers.push(request.url());
  });
  await page.goto(await server.loginUrl());
  await startSession(page);
  await prompt(page, "List the files in this directory");
  await expect(turnEnds(page)).toHaveCount(1);
  await page.reload();
  await expect(transcript(page)).toContainText("List the files");
  expect(new URL(page.url()).pathname).toMatch(/^\/team\/patchbay\/sessions\//);
  expect(strangers).toEqual([]);

  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]");
    const read = await (await fetch(link?.href ?? "")).json();
    return { scope: new URL(read.scope, link?.href).pathname, icons: read.icons.length };
  });
  expect(manifest).toEqual({ scope: "/team/patchbay/", icons: 4 });

  await swipe(page, 40, 300);
  await expect(page.getByRole("navigation", { name: "Sessions" })).toBeVisible();
  await swipe(page, 300, 40);
  await expect(transcript(page)).toBeVisible();

  // [P224] The server goes: a reload shows what was seen last, and it comes back by itself.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const seen = () =>
    page.evaluate(async () => [...(await (await caches.open("patchbay-seen/team/patchbay")).keys())].length);
  await expect.poll(seen).toBe(2);
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open("patchbay-page")).keys()).length))
    .toBeGreaterThan(5);
  await server.kill();
  await page.reload();
  await expect(transcript(page)).toContainText("List the files");
  const away = page.getByRole("status").filter({ hasText: /server|Disconnected/ });
  await expect(away).toBeVisible();
  await server.start();
  await expect(away).toBeHidden();
  await prompt(page, "List the files once more");
  await expect(turnEnds(page)).toHaveCount(2);

  // Logged out, nothing of it stays.
  await page.goto(`${server.url}/team/patchbay/`);
  await page.evaluate(() => localStorage.setItem("patchbay.draft.x", "private"));
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Log out" }).click();
  await expect(page.getByRole("heading", { name: /^Log in/ })).toBeVisible();
  expect(await seen()).toBe(0);
  const kept = await page.evaluate(() => Object.keys(localStorage));
  expect(kept.filter((key) => !/preferences|notify|theme|language/.test(key))).toEqual([]);
  await context.close();
});

async function swipe(page: import("@playwright/test").Page, from: number, to: number): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
    client.send("Input.dispatchTouchEvent", { type, touchPoints: x === undefined ? [] : [{ x, y: 400 }] });
  await touch("touchStart", from);
  await touch("touchMove", (from + to) / 2);
  await touch("touchMove", to);
  await touch("touchEnd");
  await client.detach();
}

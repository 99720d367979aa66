// Long transcripts: only what is near the view is on the page, nobody who reads is moved, and links lead to a message.
import type { Locator, Page } from "@playwright/test";
import { TestViewer } from "../testing/src/socket-client.ts";
import { expect, prompt, state, test, transcript } from "./story.ts";

test.use({ worker: "writer" });

const rows = (page: Page): Locator => transcript(page).locator("[data-row]");
const jumpButton = (page: Page): Locator => page.getByRole("button", { name: /^Jump to latest/ });
const scrollTop = (page: Page): Promise<number> => transcript(page).evaluate((log) => log.scrollTop);

/** Scrolls until what is wanted is on the page: with the wheel, as a reader does. */
async function wheelTo(page: Page, wanted: Locator, step: number): Promise<void> {
  await transcript(page).hover();
  for (let turns = 0; turns < 200 && (await wanted.count()) === 0; turns++) {
    await page.mouse.wheel(0, step);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await expect(wanted).toBeAttached();
}

/** Resolves when nothing has scrolled for some frames: a wheel goes on by itself. */
const atRest = (page: Page): Promise<void> =>
  transcript(page).evaluate(async (log) => {
    for (let still = 0, last = log.scrollTop; still < 20; last = log.scrollTop) {
      await new Promise(requestAnimationFrame);
      still = log.scrollTop === last ? still + 1 : 0;
    }
  });

test("a transcript of thousands of messages is opened, read, followed and linked into", async ({
  session: page,
  server,
}) => {
  await prompt(page, "load 2000");
  await expect(transcript(page)).toContainText("Answer 1999.");
  await expect(state(page, "idle")).toBeVisible();
  await page.reload();
  await expect(transcript(page).getByText("Answer 1999.")).toBeInViewport();
  expect(await rows(page).count(), "[Y71]").toBeLessThan(60);

  await wheelTo(page, transcript(page).getByText("Question 1972:"), -800);
  await atRest(page);
  await expect(jumpButton(page)).toBeVisible();

  // [Y73] What the reader looks at stays, to the pixel, while a card opens above it and answers stream below.
  const top = await scrollTop(page);
  const held = await page.evaluateHandle(() => document.elementFromPoint(720, 400));
  const heldAt = () => held.evaluate((element) => element?.getBoundingClientRect().top ?? Number.NaN);
  const at = await heldAt();
  const above = transcript(page).locator("[data-tool]").first();
  expect((await above.boundingBox())?.y ?? 0).toBeLessThan(0);
  await above.getByRole("button").evaluate((button: HTMLElement) => button.click());
  await expect(above.getByRole("group", { name: "Output" })).toBeAttached();
  expect(await heldAt()).toBe(at);
  const session = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await using viewer = new TestViewer(server.url, server.token, session).countOnly();
  await viewer.caughtUp();
  await viewer.ask({ type: "prompt", message: "stream 60000 3000 3000" });
  await expect(jumpButton(page)).toContainText("2 new"); // the prompt and its answer
  await viewer.state("busy");
  await viewer.state("idle");
  await expect(jumpButton(page)).toContainText("3 new"); // and the line that ends the turn
  expect(await heldAt()).toBe(at);
  expect(await scrollTop(page)).toBe(top);
  await jumpButton(page).click();
  await expect(page.locator("[data-turn]").last()).toBeInViewport();
  await expect(jumpButton(page)).toBeHidden();

  // The keyboard leads to the beginning, and from there nothing is left out: what cannot be fetched can be asked for again.
  const fetched = /\/messages\?/;
  await page.route(fetched, (route) => route.abort());
  await transcript(page).focus();
  await page.keyboard.press("Home");
  await expect(transcript(page).getByText("Question 0:")).toBeInViewport();
  const again = page.getByRole("button", { name: /^This answer could not be loaded/ }).first();
  await expect(again).toBeVisible();
  await page.unroute(fetched);
  await again.click();
  await expect(transcript(page).getByText("Answer 3.")).toBeVisible();
  await wheelTo(page, transcript(page).getByText("Question 32:"), 800);
  const keys = await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute("data-row")));
  expect(keys.length).toBeLessThan(60);

  // [P263] What is not on the page, or evicted, is found as well.
  await transcript(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Control+f");
  const find = page.getByRole("textbox", { name: "Find in this session" });
  await find.fill("Answer 7.");
  await expect(page.getByRole("search")).toContainText("1 of 1");
  await expect(transcript(page).getByText("Answer 7.")).toBeInViewport();
  await find.press("Escape");

  // [Y74] Everything that was loaded has the same time; the prompt that streamed has its own.
  await page.goto(`${server.url}/sessions/${session}?at=${encodeURIComponent(new Date().toISOString())}`);
  const linked = transcript(page).locator(".linked");
  await expect(linked).toBeInViewport();
  await expect(linked).toContainText("stream 60000 3000 3000");
  await expect(jumpButton(page)).toBeVisible();
});

test("[L93] of a long answer only what is near the screen is laid out, and it is read from end to start without a jump", async ({
  session: page,
}) => {
  await prompt(page, "stream 60000 600 0");
  await expect(state(page, "idle")).toBeVisible();
  await page.reload();
  const first = transcript(page).getByText("Part 1", { exact: true });
  await expect(first).toBeAttached();
  const isLaidOut = () => first.evaluate((part) => part.checkVisibility({ contentVisibilityAuto: true }));
  expect(await isLaidOut()).toBe(false);
  await transcript(page).hover();
  for (let screen = 0; screen < 12; screen++) {
    const held = await page.evaluateHandle(() => document.elementFromPoint(720, 300));
    const at = await held.evaluate((element) => element?.getBoundingClientRect().top ?? Number.NaN);
    await page.mouse.wheel(0, -500);
    await atRest(page);
    const moved = (await held.evaluate((element) => element?.getBoundingClientRect().top ?? Number.NaN)) - at;
    expect(Math.round(moved), `screen ${screen}`).toBe(500);
  }
  await transcript(page).press("Home");
  await expect(first).toBeInViewport();
  expect(await isLaidOut()).toBe(true);
});

test("[L93] a search leads into the middle of a long answer", async ({ session: page, server }) => {
  await prompt(page, "stream 60000 600 0");
  const query = `?q=${encodeURIComponent('"Part 42"')}`;
  await expect
    .poll(async () => (await server.call("GET", `/api/search${query}`)).text)
    .toContain('"match":true');
  await page.goto(`${server.url}/search${query}`);
  await page.getByRole("link", { name: /^Answer/ }).click();
  const found = transcript(page).getByText("Part 42", { exact: true });
  await expect(found).toBeInViewport();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000))); // all of it is there by then
  await expect(found).toBeInViewport();
});

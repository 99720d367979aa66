// The first load: what is asked for before the page's module is there, and what is not touched before the screen is.
import { composer, expect, prompt, test, transcript, turnEnds } from "./story.ts";

test("[Y91] a session's address asks once for the list and once for the transcript, and shows them", async ({
  session: page,
}) => {
  await prompt(page, "Say something about retries");
  await expect(turnEnds(page, "end")).toBeVisible();
  const sockets: string[] = [];
  page.on("websocket", (socket) => {
    if (socket.url().includes("/socket?")) sockets.push(socket.url()); // what changes in the list has a line of its own
  });
  await page.reload();
  await expect(turnEnds(page, "end")).toBeVisible();
  await expect(page.getByRole("navigation").getByRole("link", { name: /Say something/ })).toBeVisible();
  expect(sockets).toHaveLength(1);
  const lists = await page.evaluate(
    () =>
      performance
        .getEntriesByType("resource")
        // The page asks again every five seconds.
        .filter(({ name, startTime }) => new URL(name).pathname === "/api/sessions" && startTime < 5_000)
        .length,
  );
  expect(lists).toBe(1);
  // The socket that was opened early is the one that prompts go through.
  await prompt(page, "And once more");
  await expect(turnEnds(page, "end")).toHaveCount(2);
  expect(sockets).toHaveLength(1);
});

test("[Y91] without what was asked early, everything is asked for as always", async ({ session: page }) => {
  await prompt(page, "Say something about retries");
  await expect(turnEnds(page, "end")).toBeVisible();
  await page.route("**/early.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  await page.reload();
  await expect(turnEnds(page, "end")).toBeVisible();
  await expect(page.getByRole("navigation").getByRole("link", { name: /Say something/ })).toBeVisible();
});

test("[Y91] a server that takes its time is waited for in sight", async ({ session: page }) => {
  await prompt(page, "Say something about retries");
  await expect(turnEnds(page, "end")).toBeVisible();
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.routeWebSocket(/\/socket\?/, async (socket) => {
    await held;
    socket.connectToServer();
  });
  await page.reload();
  await expect(page.getByRole("status", { name: "Opening the session" })).toBeVisible();
  answer();
  await expect(transcript(page)).toContainText("Say something about retries");
  await expect(composer(page)).toBeVisible();
});

test("[Y92] nothing asks for a language or a permission before the first screen", async ({
  session: page,
}) => {
  await prompt(page, "Say something about retries");
  await expect(turnEnds(page, "end")).toBeVisible();
  await page.addInitScript(() => {
    const asked: string[] = [];
    Reflect.set(window, "askedEarly", asked);
    const shown = (): boolean => document.querySelector("[data-row]") !== null;
    const watch = (of: object, name: string): void => {
      const was = Object.getOwnPropertyDescriptor(of, name);
      Object.defineProperty(of, name, {
        configurable: true,
        get() {
          if (!shown()) asked.push(name);
          return was?.get === undefined ? was?.value : was.get.call(this);
        },
      });
    };
    watch(Intl, "DateTimeFormat");
    watch(Intl, "NumberFormat");
    watch(Intl, "Collator");
    watch(Number.prototype, "toLocaleString");
    watch(Date.prototype, "toLocaleTimeString");
    watch(String.prototype, "localeCompare");
    watch(Notification, "permission");
  });
  await page.reload();
  await expect(turnEnds(page, "end")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "askedEarly"))).toEqual([]);
});

// Finding one's way among sessions, and what stands around writing to one.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { violations } from "./axe.ts";
import { composer, expect, prompt, state, test, transcript, turnEnds } from "./story.ts";

test("[L31] the palette, the search and two sessions side by side", async ({ session: page, model }) => {
  model.reply({ text: "It was the **persimmon** all along." }, { text: "Second." });
  await prompt(page, "Which fruit was it?");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  const first = page.url();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await expect(palette.getByRole("option", { name: "Rename" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type("new sess");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Start session" }).click();
  await expect(page).not.toHaveURL(first);
  await prompt(page, "Another one");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  const second = page.url();

  // What was said is found from the palette, and leads to where it was said.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("persimm");
  const hit = palette.getByRole("option", { name: /persimmon all along/ });
  await expect(hit).toBeVisible();
  await hit.click();
  await expect(page).toHaveURL(new RegExp(`${new URL(first).pathname}\\?at=`));
  await expect(transcript(page)).toContainText("persimmon");

  // And from the page of its own.
  await transcript(page).focus();
  await page.keyboard.press("f");
  await page.getByRole("searchbox", { name: "Search all transcripts" }).fill('"which fruit"');
  const results = page.getByRole("region", { name: "Which fruit was it?" });
  await expect(results.getByRole("link", { name: /You.*Which fruit was it/ })).toBeVisible();
  await expect(results.locator("mark").first()).toHaveText("Which fruit");
  expect(await violations(page)).toEqual([]);
  await page.goto(second);
  await expect(transcript(page)).toContainText("Second.");

  // Side by side, from the palette; the address holds both.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("beside");
  await palette.getByRole("option", { name: "Split view…" }).click();
  await palette.getByRole("option", { name: /Which fruit/ }).click();
  await expect(page).toHaveURL(`${second}?with=${first.split("/").at(-1)}`);
  await page.reload();
  await expect(composer(page)).toHaveCount(2);
  await expect(page.getByRole("region", { name: "Right session" })).toContainText("persimmon");
  await page
    .getByRole("region", { name: "Left session" })
    .getByRole("button", { name: "Close this session in the split view" })
    .click();
  await expect(page).toHaveURL(first);
  await expect(composer(page)).toHaveCount(1);
  await transcript(page).focus();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Stop the agent");
});

test("[L78] a shortcut works as soon as there is anything to see", async ({ session: page }) => {
  // Pressed in the very moment the list stands in the page, before the browser has painted it.
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (document.querySelector("nav") === null) return;
      watch.disconnect();
      window.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeVisible();
});

test("[L72] [L73] with two sessions side by side, a link into one of them moves that one only", async ({
  session: page,
  model,
}) => {
  const tall = Array.from({ length: 60 }, (_, line) => `- line ${line}`).join("\n");
  model.reply({ text: `The kumquat.\n\n${tall}` }, { text: "Two." }, { text: `A medlar.\n\n${tall}` });
  await prompt(page, "Begin the first");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  await prompt(page, "Go on");
  await expect(turnEnds(page, "end")).toHaveCount(2);
  const first = page.url();
  // [L73] The palette takes some time to come; what is typed meanwhile is for it, and not for the agent.
  let come = (): void => {};
  const coming = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(/\/app-palette-[^/]*\.js/, async (route) => {
    await coming;
    await route.continue();
  });
  await composer(page).focus();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("new sess");
  await page.keyboard.press("Enter");
  come();
  await expect(page.getByRole("dialog").getByRole("combobox")).toHaveValue("new sess");
  await page.keyboard.press("Escape");
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue("");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("new sess");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Start session" }).click();
  await expect(page).not.toHaveURL(first);
  await prompt(page, "Begin the second");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  const ids = [first, page.url()].map((address) => address.split("/").at(-1));
  const both = `/sessions/${ids[0]}?with=${ids[1]}`;
  await page.goto(new URL(both, first).href);
  const [left, right] = [
    page.getByRole("region", { name: "Left session" }),
    page.getByRole("region", { name: "Right session" }),
  ];
  const latest = { name: /^Jump to latest/ };
  for (const pane of [left, right]) await expect(pane.locator("[data-turn]").last()).toBeInViewport();

  // What is found in the right one is shown there, and the left one stays where it was.
  const look = async (words: string, hit: RegExp): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(words);
    await page.getByRole("dialog").getByRole("option", { name: hit }).click();
  };
  await look("begin the sec", /Begin the second.*Begin the second/);
  await expect(page).toHaveURL(new RegExp(`${ids[0]}\\?with=${ids[1]}&with_at=`));
  await expect(right.locator(".linked")).toContainText("Begin the second");
  await expect(right.getByRole("button", latest)).toBeVisible();
  await expect(left.locator(".linked")).toHaveCount(0);
  await expect(left.getByRole("button", latest)).toBeHidden();

  // And the other way round.
  await right.getByRole("button", latest).click();
  await look("begin the fir", /Begin the first.*Begin the first/);
  await expect(page).toHaveURL(new RegExp(`${ids[0]}\\?with=${ids[1]}&at=`));
  await expect(left.locator(".linked")).toContainText("Begin the first");
  await expect(left.getByRole("button", latest)).toBeVisible();
  await expect(right.locator(".linked")).toHaveCount(0);
  await expect(right.getByRole("button", latest)).toBeHidden();

  // Opening the address shows the same; closing the other pane does not follow the link again.
  await page.reload();
  await expect(left.locator(".linked")).toBeInViewport();
  await expect(right.locator("[data-turn]").last()).toBeInViewport();
  await left.getByRole("button", latest).click();
  await right.getByRole("button", { name: "Close this session in the split view" }).click();
  await expect(composer(page)).toHaveCount(1);
  await expect(page.getByRole("button", latest)).toBeHidden();
});

test("[L32] sessions are pinned, archived and deleted, and a reload forgets no way back", async ({
  session: page,
  model,
}) => {
  model.reply({ text: "Yes." });
  await prompt(page, "Keep me");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  const list = page.getByRole("navigation", { name: "Sessions" });
  const choose = async (item: string): Promise<void> => {
    await list.getByRole("link", { name: /^Keep me/ }).hover();
    await list.getByRole("button", { name: "Menu of Keep me" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Pin");
  await expect(
    list.getByRole("region", { name: "Pinned" }).getByRole("link", { name: /Keep me/ }),
  ).toBeVisible();
  await choose("Archive");
  const archive = list.getByRole("button", { name: /^Archived/ });
  await expect(archive).toBeVisible();
  await expect(list.getByRole("link", { name: /Keep me/ })).toBeHidden();
  await archive.click();
  await choose("Delete the session");
  await expect(page).toHaveURL(/\/$/);
  await page.reload();
  await list.getByRole("button", { name: "Undo: keep Keep me" }).click();
  await archive.click();
  await list.getByRole("link", { name: /Keep me/ }).click();
  await expect(transcript(page)).toContainText("Yes.");
  await expect(list.getByRole("button", { name: /^Undo/ })).toBeHidden();
});

test("[L34] what is written survives, comes back, and takes files along", async ({
  session: page,
  model,
  server,
}) => {
  mkdirSync(join(server.cwd, "src"));
  writeFileSync(join(server.cwd, "src/retry.ts"), "export {};\n");
  const field = composer(page);
  await field.pressSequentially("Look at @ret");
  await expect(page.getByRole("option", { name: /src\/retry.ts/ })).toBeVisible();
  await field.press("Tab");
  await expect(field).toHaveValue("Look at @src/retry.ts ");
  await page.locator('input[type="file"]').setInputFiles([
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("remember the milk") },
    { name: "retry.ts", mimeType: "text/plain", buffer: Buffer.from("export {};\n") },
  ]);
  await expect(page.getByRole("list", { name: "Attachments" })).toContainText("notes.txt");
  await expect(field).toHaveValue("Look at @src/retry.ts @src/retry.ts ");
  await page.reload();
  await expect(field).toHaveValue("Look at @src/retry.ts @src/retry.ts ");
  await expect(page.getByRole("list", { name: "Attachments" })).toContainText("notes.txt");
  model.reply({ text: ["Half ", "of it."], hangAfterChunks: 1 });
  await field.press("Enter");
  await expect(transcript(page)).toContainText("Half");
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain("remember the milk");
  await expect(page.getByRole("list", { name: "Attachments" })).toHaveCount(0);

  // While it works: queued and rewritten, steered and taken back, stopped and told so.
  const queue = page.getByRole("region", { name: "Queue" });
  await prompt(page, "then the rest");
  await queue.getByRole("button", { name: "Edit" }).click();
  await queue.getByRole("textbox", { name: "Queued prompt" }).fill("then nothing");
  await page.keyboard.press("Enter");
  await expect(queue.getByRole("listitem")).toContainText(["then nothing"]);
  await queue.getByRole("button", { name: "Remove from queue" }).click();
  await field.fill("rather that");
  await field.press("Control+Enter");
  await expect(queue).toContainText("rather that");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(state(page, "idle")).toBeVisible();
  await expect(page.getByRole("form", { name: "Prompt" })).toContainText("Stopped.");
  await queue.getByRole("button", { name: "Withdraw" }).click();
  await expect(queue).toBeHidden();
  await field.press("ArrowUp");
  await expect(field).toHaveValue(/^Look at @src\/retry.ts/);
  await page.getByRole("button", { name: /^Sandbox: / }).click();
  await page.getByRole("menuitemradio", { name: /^Not sandboxed/ }).click();
  await expect(page.getByRole("button", { name: "Sandbox: Not sandboxed" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ worker: "actor", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("[L33] a question is a sheet, a badge in the tab and a notification", async ({
    page,
    server,
    context,
  }) => {
    await context.grantPermissions(["notifications"]);
    await page.addInitScript(() => {
      localStorage.setItem("patchbay.notify", "on");
      document.hasFocus = () => false;
      const shown: string[] = [];
      Object.assign(window, {
        shown,
        Notification: class extends EventTarget {
          static readonly permission = "granted";
          constructor(title: string, { body }: { body: string }) {
            super();
            shown.push(`${title} / ${body}`);
          }
        },
      });
    });
    await page.goto(await server.loginUrl());
    await page.getByRole("button", { name: /^Start without a prompt/ }).click();
    await composer(page).fill("ask 600000");
    await page.getByRole("button", { name: "Send" }).tap();
    const sheet = page.getByRole("region", { name: "The agent asks" });
    await expect(sheet).toContainText("9 min");
    await expect(page).toHaveTitle(/^\(1\) needs you: /);
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", /^data:image\/png/);
    const shown = () => page.evaluate<string[]>("window.shown");
    // The first prompt also names the session, before or after that.
    await expect.poll(shown).toContainEqual(expect.stringMatching(/^Needs you: .* \/ Sure\?$/));
    const box = await sheet.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844);
    expect(await violations(page)).toEqual([]);
    await sheet.getByRole("button", { name: "Later" }).tap();
    await expect(sheet).toBeHidden();
    await page.getByRole("button", { name: /Sure\?/ }).tap();
    await sheet.getByRole("button", { name: "Yes" }).tap();
    await expect(transcript(page)).toContainText('"confirmed":true');
    await expect(page).not.toHaveTitle(/^\(1\)/);
    await expect.poll(shown).toContain("Done: ask 600000 / The agent is done.");
  });
});

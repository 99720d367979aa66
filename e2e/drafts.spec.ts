// What a person has written and not sent: it survives turns that begin, lines that are cut, files that are dropped.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { Page, WebSocketRoute } from "@playwright/test";
import { composer, expect, prompt, startSession, test, transcript, turnEnds } from "./story.ts";

test("[L80] a queued prompt that starts while it is rewritten gives the new words to the composer", async ({
  session: page,
  model,
}) => {
  model.reply({ text: ["Half ", "of it."], hangAfterChunks: 1 }, { text: "The rest." });
  await prompt(page, "Begin");
  await expect(transcript(page)).toContainText("Half");
  await prompt(page, "then the rest");
  const queue = page.getByRole("region", { name: "Queue" });
  await composer(page).fill("half written");
  await queue.getByRole("button", { name: "Edit" }).click();
  await queue.getByRole("textbox", { name: "Queued prompt" }).fill("then something else");
  model.release();
  await expect(turnEnds(page, "end")).toHaveCount(2);
  await expect(composer(page)).toHaveValue("then something else\n\nhalf written");
  await expect(page.getByRole("alert").filter({ hasText: "left the queue unchanged" })).toBeVisible();
});

test("[L81] a command that runs when the line is cut is not offered to be run again", async ({
  page,
  server,
}) => {
  const lines: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/socket/, (line) => {
    lines.push(line);
    line.connectToServer();
  });
  await page.goto(await server.loginUrl());
  await startSession(page);
  await prompt(page, "Wake up");
  await expect(turnEnds(page)).toHaveCount(1);
  await prompt(page, "!echo begun >> runs; until [ -e go ]; do sleep 0.1; done; echo all-done");
  await expect
    .poll(() => readFileSync(`${server.cwd}/runs`, { encoding: "utf8", flag: "a+" }))
    .toBe("begun\n");
  await lines.at(-1)?.close({ code: 1001 });
  await expect(page.getByRole("form", { name: "Prompt" })).toContainText(
    "The connection was lost while your command was running.",
  );
  await expect(composer(page)).toHaveValue("");
  writeFileSync(`${server.cwd}/go`, "");
  await expect(transcript(page).getByText("all-done").last()).toBeVisible();
  expect(readFileSync(`${server.cwd}/runs`, "utf8")).toBe("begun\n");
});

test("[L82] a file dropped beside the composer is attached, and the page stays", async ({
  session: page,
}) => {
  const drop = (target: string) =>
    page.evaluate((selector) => {
      const data = new DataTransfer();
      data.items.add(new File(["remember the milk"], "notes.txt", { type: "text/plain" }));
      const fire = (type: string): boolean =>
        document
          .querySelector(selector)
          ?.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true })) ??
        true;
      // Whoever takes a drop says so by preventing what the browser would do: open the file.
      return { over: fire("dragover"), drop: fire("drop") };
    }, target);
  const attached = page.getByRole("list", { name: "Attachments" });
  expect(await drop("nav")).toEqual({ over: false, drop: false });
  await expect(attached).toContainText("notes.txt");
  await expect(page.getByText("Drop to attach")).toBeHidden();
  expect(await drop("[data-pane]")).toEqual({ over: false, drop: false });
  await expect(attached.getByRole("listitem")).toHaveCount(2);
  await page.getByRole("link", { name: "Patchbay", exact: true }).first().click();
  expect(await drop("main")).toEqual({ over: false, drop: false });
});

test("[L83] a comment that is being written outlives other files, tabs, a reload and a look that fails", async ({
  page,
  server,
}) => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
      cwd: server.cwd,
    });
  for (const name of ["one.ts", "two.ts"])
    writeFileSync(`${server.cwd}/${name}`, "export const wait = 20;\n");
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  await page.goto(await server.loginUrl());
  await startSession(page);
  await page.getByRole("button", { name: "Files and changes" }).click();
  await expect(page.getByRole("heading", { name: "No changes" })).toBeVisible();
  for (const name of ["one.ts", "two.ts"])
    writeFileSync(`${server.cwd}/${name}`, "export const wait = 30;\n");
  await page.getByRole("button", { name: "Refresh" }).click();
  await choose(page, "one.ts");
  await page
    .getByRole("row", { name: /wait = 30/ })
    .getByRole("button", { name: "Comment on line 1" })
    .click();
  const comment = page.getByLabel("Comment for the agent");
  await comment.fill("Twenty were");
  await choose(page, "two.ts");
  await expect(comment).toHaveCount(0);
  await choose(page, "one.ts");
  await expect(comment).toHaveValue("Twenty were");
  await page.getByRole("tab", { name: "Files", exact: true }).click();
  await page.getByRole("tab", { name: "Changes" }).click();
  await expect(comment).toHaveValue("Twenty were");
  await page.reload();
  await expect(comment).toHaveValue("Twenty were");
  await comment.fill("Twenty were enough.");
  await page.route(/\/changes/, (route) => route.abort());
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Showing the last known state" })).toBeVisible();
  await expect(comment).toHaveValue("Twenty were enough.");
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect(page.getByRole("button", { name: "Twenty were enough." })).toBeVisible();
  await expect(comment).toHaveCount(0);
});

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Changed files" }).getByRole("button", { name }).click();
  await expect(page.getByRole("table", { name: `Changes of ${name}` })).toBeVisible();
}

// What extensions show and ask, acted out by a fixture worker that speaks omp's frames: each in its place,
// there after a reload, and gone with the worker.
import type { Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { composer, expect, prompt, state, test, transcript, turnEnds } from "./story.ts";

test.use({ worker: "actor" });

const ui = (method: string, fields: object) => ({ type: "extension_ui_request", id: "u", method, ...fields });
const act = (page: Page, ...frames: object[]) => prompt(page, `frames ${JSON.stringify(frames)}`);
const ask = (page: Page, question: object) => prompt(page, `question ${JSON.stringify(question)}`);
const card = (page: Page) => page.getByRole("region", { name: "The agent asks" });

test("statuses, widgets, titles and panels survive a reload and end with the worker", async ({
  session: page,
}) => {
  await act(
    page,
    ui("setStatus", { statusKey: "tests", statusText: "\u001b[32m128 passed\u001b[0m" }),
    ui("setWidget", { widgetKey: "plan", widgetLines: ["1. measure", "2. mend"] }),
    ui("setTitle", { title: "Mending the relay" }),
    {
      type: "ext_panel",
      extension: "todo",
      panel_id: "p",
      title: "Todo",
      lines: ["> one", "  two"],
      footer: "↑↓ move",
    },
    { type: "extension_error", extensionPath: "/ext/guard", event: "load", error: "no such program" },
  );
  const check = async (): Promise<void> => {
    await expect(page.getByRole("list", { name: "Status" })).toContainText("128 passed");
    await expect(page.getByRole("region", { name: "Widget plan" })).toContainText("2. mend");
    await expect(page).toHaveTitle(/Mending the relay/);
    await expect(page.getByRole("region", { name: "Panel: Todo" })).toContainText("> one");
    await expect(transcript(page)).toContainText("guard · load: no such program");
  };
  await check();
  await page.reload();
  await check();
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: "Shut down the agent" }).click();
  await expect(state(page, "stopped")).toBeVisible();
  await expect(page.getByRole("region", { name: "Panel: Todo" })).toBeHidden();
  await expect(page.getByRole("list", { name: "Status" })).toBeHidden();
  await expect(page).not.toHaveTitle(/Mending the relay/);
});

test("a repeated notice is counted, not repeated", async ({ session: page }) => {
  const said = ui("notify", { message: "Saved.", extension: "notes" });
  await act(page, said, said, said);
  await expect(transcript(page).getByText("notes · Saved. ×3")).toBeVisible();
});

test("an extension writes into the composer without losing what is typed", async ({ session: page }) => {
  await prompt(page, "hang");
  await expect(transcript(page)).toContainText("waiting");
  await composer(page).fill(
    `frames ${JSON.stringify([{ type: "ext_insert", extension: "paths", text: "src/main.ts" }])}`,
  );
  await composer(page).press("Enter");
  await composer(page).fill("look at");
  await page.keyboard.press("Escape"); // ends the turn; the queued one inserts when it runs
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(composer(page)).toHaveValue("look at src/main.ts");
  await act(page, ui("set_editor_text", { text: "a whole new prompt", extension: "templates" }));
  await expect(composer(page)).toHaveValue("a whole new prompt");
});

test("what an extension replaces can be brought back", async ({ session: page }) => {
  await prompt(page, "hang");
  await expect(transcript(page)).toContainText("waiting");
  await act(page, ui("set_editor_text", { text: "from a template", extension: "templates" }));
  await composer(page).fill("mine");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(composer(page)).toHaveValue("from a template");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(composer(page)).toHaveValue("mine");
});

test("a long list is chosen from with the keyboard", async ({ session: page }) => {
  const options = Array.from({ length: 40 }, (_, index) => `branch-${index}`);
  await ask(page, { method: "select", title: "Which branch?", options, default: "branch-3" });
  const field = card(page).getByRole("combobox");
  await field.fill("branch-1");
  await field.press("ArrowDown");
  await field.press("ArrowDown");
  await field.press("Enter");
  await expect(transcript(page)).toContainText('"value":"branch-11"');
  await expect(transcript(page).getByText("Which branch? · branch-11")).toBeVisible();
});

test("an editor starts with its prefill and keeps what is half written through a reload", async ({
  session: page,
}) => {
  await ask(page, { method: "editor", title: "Commit message", prefill: "Fix the relay\n" });
  const field = card(page).getByRole("textbox");
  await expect(field).toHaveValue("Fix the relay\n");
  await field.fill("Fix the relay\n\nIt lost frames.");
  await page.reload();
  await expect(field).toHaveValue("Fix the relay\n\nIt lost frames.");
  await field.press("Control+Enter");
  await expect(transcript(page)).toContainText("It lost frames.");
  await expect(card(page)).toBeHidden();
});

test("a question says how long it waits, and what then", async ({ session: page }) => {
  await ask(page, { method: "confirm", title: "Deploy?", timeout: 60_000, default: false });
  await expect(card(page).getByRole("timer")).toContainText(/\d+ s left, then “No”/);
  await card(page).getByRole("button", { name: "No" }).click();
  await expect(transcript(page)).toContainText('"confirmed":false');
  await expect(transcript(page)).toContainText("you answered");
});

test("an approval shows what would happen, and a denial says why", async ({
  session: page,
  context,
  server,
}) => {
  await ask(page, {
    method: "select",
    title: "Allow edit?",
    tool: "edit",
    args: { path: "a.ts", edits: [{ oldText: "sleep(100)", newText: "once(server)" }] },
    options: ["Allow once", "Always allow edit", "Deny"],
  });
  await expect(card(page).getByRole("group", { name: "Changes" })).toContainText("once(server)");
  const other = await context.newPage();
  await other.goto(page.url().replace(new URL(page.url()).origin, server.url));
  await expect(card(other)).toBeVisible();
  await card(other).getByRole("button", { name: "Give a reason…" }).click();
  await other.getByRole("textbox", { name: "Reason for the denial" }).fill("wait for the event");
  await other.keyboard.press("Enter");
  await expect(transcript(page)).toContainText('"reason":"wait for the event"');
  await expect(card(page)).toBeHidden();
  await expect(transcript(page)).toContainText("you answered");
  await expect(turnEnds(page, "end")).toBeVisible();
});

for (const colorScheme of ["dark", "light"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });

    test("[P290] everything around the transcript has no accessibility violations", async ({
      session: page,
    }) => {
      const colours = Array.from({ length: 8 }, (_, index) => `\u001b[3${index}mcolour ${index}\u001b[0m`);
      await act(
        page,
        ui("setStatus", { statusKey: "tests", statusText: colours.join(" ") }),
        ui("setWidget", { widgetKey: "plan", widgetLines: colours }),
        {
          type: "ext_panel",
          extension: "todo",
          panel_id: "p",
          title: "Todo",
          lines: colours,
          footer: "Esc closes",
        },
        { type: "ext_display", extension: "notes", text: "A **note**" },
        ui("notify", { message: "Saved.", notifyType: "error" }),
        { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 1, errorMessage: "529" },
      );
      await expect(turnEnds(page, "end")).toBeVisible();
      await ask(page, {
        method: "select",
        title: "Allow bash?",
        tool: "bash",
        args: { command: "rm -rf build # all of it" },
        timeout: 60_000,
        options: ["Allow once", "Deny"],
      });
      await expect(card(page).locator(".hljs-comment")).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await card(page).getByRole("button", { name: "Give a reason…" }).click();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await expect(turnEnds(page, "end")).toHaveCount(2);
      await ask(page, {
        method: "select",
        title: "Which?",
        options: Array.from({ length: 12 }, (_, index) => `o${index}`),
      });
      await expect(card(page).getByRole("listbox")).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });
  });
}

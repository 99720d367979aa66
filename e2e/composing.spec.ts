// What goes with a prompt: the model that answers it, the pictures pasted into it, its place in the queue.
import type { Page } from "@playwright/test";
import { violations } from "./axe.ts";
import { composer, expect, prompt, test, transcript, turnEnds } from "./story.ts";

test("[P223] the model picker changes the model that answers, and shows what each costs", async ({
  session: page,
  model,
}) => {
  model.reply({ text: "From the first model." }, { text: "From the second model." });
  await prompt(page, "Who are you?");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  const before = model.requests.at(-1)?.model;
  const picker = page.getByRole("button", { name: /^Model:/ });
  await picker.click();
  const options = page.getByRole("option");
  await expect(options.first()).toContainText(/\$\d.* \/ \$\d.* · \d+[kM]$/);
  await expect(page.getByRole("dialog")).toContainText("Anthropic");
  // The current one is highlighted: Enter changes nothing.
  const current = await page.getByRole("combobox", { name: "Model" }).getAttribute("aria-activedescendant");
  await expect(page.locator(`[id="${current}"]`)).toContainText(before ?? "");
  await page.keyboard.press("Enter");
  await expect(picker).toHaveAccessibleName(`Model: ${before}`);
  await picker.click();
  await expect(options.first()).toBeVisible();
  await page.getByRole("combobox", { name: "Model" }).fill("haiku");
  const wanted = (await options.first().locator("span").first().innerText()).trim();
  await page.keyboard.press("Enter");
  await expect(picker).toHaveAccessibleName(`Model: ${wanted}`);
  expect(wanted).not.toBe(before);
  await prompt(page, "And now?");
  await expect(turnEnds(page, "end")).toHaveCount(2);
  expect(model.requests.at(-1)?.model).toBe(wanted);
});

test("[P220] [P221] settings of this browser hold at once and after a reload", async ({
  session: page,
  server,
}) => {
  await page.getByRole("button", { name: "Settings" }).click();
  const dialog = page.getByRole("dialog", { name: "Settings" });
  await expect(dialog).toContainText(/Patchbay \d+\.\d+/);
  await dialog.getByRole("button", { name: "Ctrl+Enter" }).click();
  await dialog.getByRole("button", { name: "Compact" }).click();
  await dialog.getByLabel("Default directory").fill("/srv/project");
  await dialog.getByLabel("Approvals").selectOption("Ask first");
  await expect(
    dialog.getByLabel("Default model").getByRole("option", { name: "claude-sonnet-5" }),
  ).toBeAttached();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
  await composer(page).fill("first");
  await composer(page).press("Enter");
  await composer(page).pressSequentially("second");
  await expect(composer(page)).toHaveValue("first\nsecond");
  await composer(page).press("Control+Enter");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-density", "compact");
  const { body } = await server.call("GET", "/api/safety");
  expect(body).toMatchObject({ safety: { approvals: "ask", approvals_by: "person" } });
});

/** One red pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

const bluePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC";

const paste = (page: Page, picture: string): Promise<void> =>
  page.getByRole("textbox", { name: "Prompt" }).evaluate(async (field, data) => {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    const clipboard = new DataTransfer();
    clipboard.items.add(new File([bytes], "pixel.png", { type: "image/png" }));
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true }));
  }, picture);

test("a pasted picture is shown before it is sent, and goes to the model", async ({
  session: page,
  model,
}) => {
  const preview = page.getByRole("img", { name: "Image to send" });
  await paste(page, pixel);
  await expect(preview).toHaveCount(1);
  await paste(page, pixel);
  await expect(preview).toHaveCount(2);
  await page.getByRole("button", { name: "Remove image" }).first().click();
  await expect(preview).toHaveCount(1);
  model.reply({ text: "It is red." });
  await prompt(page, "What colour is it?");
  await expect(preview).toHaveCount(0);
  await expect(page.getByRole("img", { name: "Attached to the prompt" })).toBeVisible();
  await expect(transcript(page)).toContainText("It is red.");
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(pixel);
});

test("what waits in the queue can be put in another order", async ({ session: page, model }) => {
  model.reply({ text: ["At ", "it."], hangAfterChunks: 1 });
  await prompt(page, "Begin");
  await expect(transcript(page)).toContainText("At");
  await prompt(page, "first written");
  await prompt(page, "last written");
  const items = page.getByRole("region", { name: "Queue" }).getByRole("listitem");
  await expect(items).toContainText(["first written", "last written"]);
  await items.last().getByRole("button", { name: "Move up" }).click();
  await expect(items).toContainText(["last written", "first written"]);
  model.reply({ text: "One." }, { text: "Two." });
  model.release();
  await expect(turnEnds(page, "end")).toHaveCount(3);
  await expect(page.getByRole("article", { name: "Your prompt" })).toContainText([
    "Begin",
    "last written",
    "first written",
  ]);
});

test("[L74] the pictures of a prompt come back when it is edited, and one can be left out", async ({
  session: page,
  model,
}) => {
  const preview = page.getByRole("img", { name: "Image to send" });
  const attached = page.getByRole("img", { name: "Attached to the prompt" });
  const sent = () => JSON.stringify(model.requests.at(-1)?.body);
  model.reply(
    { text: "Red and blue." },
    { text: "Go on, then." },
    { text: "Still both." },
    { text: "Blue." },
  );
  await paste(page, pixel);
  await expect(preview).toHaveCount(1);
  await paste(page, bluePixel);
  await expect(preview).toHaveCount(2);
  await prompt(page, "What colours are they?");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  await prompt(page, "And now?");
  await expect(turnEnds(page, "end")).toHaveCount(2);

  // Also when the page has them from a snapshot, and not from the frames as they came.
  await page.reload();
  await expect(attached).toHaveCount(2);
  const edit = () => page.getByRole("button", { name: "Edit prompt" }).first();
  const edited = page.getByRole("textbox", { name: "Edited message" });
  await edit().click();
  await expect(edited).toHaveValue("What colours are they?");
  await expect(attached).toHaveCount(2);
  await edited.fill("Which colours are these?");
  await edited.press("Enter");
  await expect(transcript(page)).toContainText("Still both.");
  await expect(attached).toHaveCount(2);
  expect(sent()).toContain(pixel);
  expect(sent()).toContain(bluePixel);

  // Without the first of them; the other ways keep what they had.
  await edit().click();
  await page.getByRole("button", { name: "Remove image" }).first().click();
  await expect(attached).toHaveCount(1);
  await edited.fill("Which colour is this?");
  await edited.press("Enter");
  await expect(transcript(page)).toContainText("Blue.");
  await expect(attached).toHaveCount(1);
  expect(sent()).not.toContain(pixel);
  expect(sent()).toContain(bluePixel);
  await page.getByRole("button", { name: "Earlier branch" }).click();
  await expect(transcript(page)).toContainText("Still both.");
  await expect(attached).toHaveCount(2);
});

// What goes with a prompt: the model that answers it, the pictures pasted into it, its place in the queue.
import type { Page } from "@playwright/test";
import { expect, prompt, test, transcript, turnEnds } from "./story.ts";

test("the model picker changes the model that answers", async ({ session: page, model }) => {
  model.reply({ text: "From the first model." }, { text: "From the second model." });
  await prompt(page, "Who are you?");
  await expect(turnEnds(page, "end")).toHaveCount(1);
  const before = model.requests.at(-1)?.model;
  const picker = page.getByRole("button", { name: /^Model:/ });
  await picker.click();
  const options = page.getByRole("option");
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
  const preview = page.getByRole("img", { name: "To be sent" });
  await paste(page, pixel);
  await expect(preview).toHaveCount(1);
  await paste(page, pixel);
  await expect(preview).toHaveCount(2);
  await page.getByRole("button", { name: "Remove picture" }).first().click();
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
  const preview = page.getByRole("img", { name: "To be sent" });
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
  await page.getByRole("button", { name: "Remove picture" }).first().click();
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

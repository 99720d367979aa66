// What a transcript gives back: copies, files, changes, everything that was said, and another try.
import { mkdirSync, writeFileSync } from "node:fs";
import { violations } from "./axe.ts";
import { composer, expect, prompt, test, transcript, turnEnds } from "./story.ts";

test("[P261] [P262] [P263] [P264] [P265] a turn is copied, followed into its files, searched and tried again", async ({
  session: page,
  model,
  server,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  mkdirSync(`${server.cwd}/src`);
  writeFileSync(`${server.cwd}/src/mod.ts`, "export const a = 1;\nexport const b = 2;\n");
  const edits = [{ oldText: "b = 2", newText: "b = 3" }];
  model.reply(
    {
      toolCalls: [
        {
          id: "t1",
          name: "bash",
          args: { command: "seq -f 'line %g of it' 1500; echo src/mod.ts:1: wrong" },
        },
        { id: "t2", name: "edit", args: { path: "src/mod.ts", edits } },
      ],
    },
    { text: "The value in `src/mod.ts:2` was **too** small: a -> b.\n\nזהו טקסט מימין לשמאל" },
    { text: "Second answer." },
    { text: "Another first answer." },
  );
  await prompt(page, "Fix it -> now");
  await expect(turnEnds(page, "end")).toHaveCount(1);

  // Copies
  const asked = page.getByRole("article", { name: "Your prompt" }).first();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await asked.hover();
  await asked.getByRole("button", { name: "Copy prompt" }).click();
  await expect.poll(clipboard).toBe("Fix it -> now");
  const answer = page.getByRole("article", { name: "Answer" }).last();
  await answer.hover();
  await answer.getByRole("button", { name: "Copy answer" }).click();
  await expect.poll(clipboard).toContain("The value in `src/mod.ts:2` was **too** small");

  // Type: prompts as they are written, and what runs to the left begins at the right edge
  expect(
    await asked.getByText("Fix it").evaluate((text) => getComputedStyle(text).fontVariantLigatures),
    "[P266]",
  ).toBe("none");
  const edges = await answer.evaluate((article) => {
    const rtl = [...article.querySelectorAll("p")].find((p) => p.matches(":dir(rtl)"));
    return { text: rtl?.getBoundingClientRect().right, column: article.getBoundingClientRect().right };
  });
  expect(edges.text, "[P266]").toBe(edges.column);

  // Changes and files
  const changed = page.getByRole("link", { name: /1 file changed/ });
  await expect(changed).toHaveText("1 file changed +1 −1");
  await expect(changed).toHaveAttribute("href", /\/sessions\/[\w-]+\/files$/);
  const file = answer.getByRole("link", { name: "src/mod.ts:2" });
  await expect(file).toHaveAttribute("href", /\/files\?path=src%2Fmod\.ts&line=2$/);

  // The output that is folded
  await page.locator('[data-tool="bash"]').getByRole("button").first().click();
  const output = page.getByRole("group", { name: "Output" });
  await expect(output.getByRole("link", { name: "src/mod.ts:1" })).toBeVisible();
  await output.getByRole("button", { name: "Show 501 earlier lines" }).click();
  await expect(output).toContainText("line 1 of it");
  await page.locator('[data-tool="bash"]').getByRole("button").first().click();
  await expect(page.getByRole("button", { name: /^Jump to latest/ })).toBeHidden();

  // Find: in what is folded too, and back to where the focus was
  await prompt(page, "And again");
  await expect(turnEnds(page, "end")).toHaveCount(2);
  await composer(page).focus();
  await page.keyboard.press("Control+f");
  const find = page.getByRole("textbox", { name: "Find in this session" });
  await expect(find).toBeFocused();
  await find.fill("LINE 14");
  const bar = page.getByRole("search");
  await expect(bar).toContainText("of 111"); // 14, 140 to 149, 1400 to 1499
  await find.fill("value in src/mod");
  await expect(bar).toContainText("1 of 1");
  await find.fill("line 7 of it");
  await expect(bar).toContainText("1 of 1");
  await expect(transcript(page).getByText("line 7 of it")).toBeInViewport();
  await find.fill("second");
  await find.press("Enter");
  await expect(bar).toContainText("1 of 1");
  await find.fill("nowhere at all");
  await expect(bar).toContainText("No results");
  expect(await violations(page)).toEqual([]);
  await find.press("Escape");
  await expect(bar).toBeHidden();
  await expect(composer(page)).toBeFocused();

  // Any turn is tried again, on a branch of its own
  await asked.hover();
  await asked.getByRole("button", { name: "Retry prompt" }).click();
  await expect(transcript(page)).toContainText("Another first answer.");
  await expect(transcript(page)).not.toContainText("Second answer.");
  await expect(page.getByRole("group", { name: "Branches" })).toContainText("2 of 2");

  // 200 %: the window has half of its size
  await page.setViewportSize({ width: 720, height: 450 });
  const gaps = await page.evaluate(() => {
    const log = document.querySelector("[role=log]")?.getBoundingClientRect();
    return { log: log?.height ?? 0, wide: document.documentElement.scrollWidth };
  });
  expect(gaps.log, "[P267]").toBeGreaterThan(150);
  expect(gaps.wide, "[P267]").toBe(720);
  // A line that is there for the actions shows them: nothing would be a band without content
  expect(
    await asked.getByRole("button", { name: "Copy prompt" }).evaluate((button) => {
      const line = button.parentElement;
      return line === null ? "" : getComputedStyle(line).opacity;
    }),
    "[P267]",
  ).toBe("1");
});

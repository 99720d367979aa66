// What is left of a subscription plan, where the agent tells it: in the session and on the costs page.
import { fixtureWorker, startServer } from "../testing/src/server-process.ts";
import { violations } from "./axe.ts";
import { expect, prompt, test, turnEnds } from "./story.ts";

const inSeconds = (hours: number): number => Math.floor(Date.now() / 1_000) + hours * 3_600;

test("[U122] see what a plan's windows have left, the one that binds first on top; nothing where nothing is told", async ({
  page,
}) => {
  await using server = await startServer({
    config: {
      default_worker: "claude",
      workers: { claude: { dialect: "acp", command: fixtureWorker("acp-agent") } },
    },
  });
  const { session } = (await server.call("POST", "/api/sessions", { worker: "claude" })).body as {
    session: { id: string };
  };
  await page.goto(await server.loginUrl());
  await expect(page.getByRole("link", { name: /^Costs/ })).toBeVisible();
  await page.goto(`${server.url}/sessions/${session.id}`);
  let turns = 0;
  const ask = async (text: string): Promise<void> => {
    await prompt(page, text);
    await expect(turnEnds(page)).toHaveCount(++turns);
  };
  await ask("say hello");
  const plan = page.locator("a[data-plan]");
  await expect(plan).toHaveCount(0);
  await ask(
    `limits ${JSON.stringify({
      status: "allowed",
      unifiedWindows: {
        five_hour: { utilization: 0.62, resetsAt: inSeconds(4) },
        seven_day: { utilization: 0.7, resetsAt: inSeconds(20) },
      },
    })}`,
  );
  await expect(plan).toContainText("5 h window: 62 % used");
  await expect(plan).toContainText(/resets in (4 h|3 h 5\d min)/);
  await expect(plan).toHaveAttribute("title", /Weekly: 70 % used/);
  await ask(
    `limits ${JSON.stringify({ status: "rejected", rateLimitType: "seven_day", resetsAt: inSeconds(20) })}`,
  );
  await expect(plan).toContainText("Weekly: Used up");
  expect(await violations(page)).toEqual([]);

  await plan.click();
  const card = page.getByRole("region", { name: "Plan limits" });
  await expect(card.locator("[data-plan=claude] li").first()).toContainText("Weekly");
  await expect(card.locator("[data-plan=claude] li").first()).toContainText("Binds first");
  await expect(card).toContainText("5 h window");
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

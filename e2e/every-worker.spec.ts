// The same story on every worker, without a line that knows which one it is. What its session's capabilities name is on
// the page; what they do not name is not.
import type { Locator, Page } from "@playwright/test";
import { test as base } from "@playwright/test";
import {
  findAgent,
  type RealAgent,
  realAgents,
  shellOf,
  startRealAgent,
} from "../apps/server/test/support/real-agents.ts";
import { everyWorker, startEveryWorker } from "../testing/src/every-worker.ts";
import { replyByScene } from "../testing/src/fake-model/by-scene.ts";
import { startFakeModel } from "../testing/src/fake-model/server.ts";
import type { RunningServer } from "../testing/src/server-process.ts";
import { promptFor, type Step } from "../testing/workers/scene.mjs";
import { composer, cost, expect, prompt, startSession, state, transcript, turnEnds } from "./story.ts";

interface SessionFacts {
  capabilities: string[];
  usage: { cost_usd: number };
}

interface Story {
  worker: string;
  /** Otherwise a program that implements its protocol. */
  isReal: boolean;
  server: RunningServer;
  session: Page;
}

const test = base.extend<Story>({
  worker: ["builtin", { option: true }],
  isReal: [false, { option: true }],
  server: async ({ worker, isReal }, use) => {
    if (isReal) return useRealAgent(worker as RealAgent, use);
    await using every = await startEveryWorker({ default_worker: worker, agent: { approvals: "ask" } });
    await use(every.server);
  },
  session: async ({ page, server }, use) => {
    await page.goto(await server.loginUrl());
    await startSession(page);
    await expect(state(page, "idle")).toBeVisible();
    await use(page);
  },
});

async function useRealAgent(name: RealAgent, use: (server: RunningServer) => Promise<void>): Promise<void> {
  await using model = await startFakeModel();
  model.defaultReply = replyByScene(shellOf[name]);
  const profile = name === "pi" || name === "omp" ? { model: "fake/fake-chat" } : {};
  await using server = await startRealAgent(name, findAgent(name) ?? "", model, { profile });
  await use(server);
}

const act = (page: Page, ...steps: Step[]): Promise<void> => prompt(page, promptFor(steps));
const question = (page: Page): Locator => page.getByRole("region", { name: "The agent asks" });

/** Waits for the turn's end; whoever asks on the way is told yes. */
async function untilDone(page: Page, turns: number): Promise<void> {
  const over = turnEnds(page).nth(turns - 1);
  for (;;) {
    await expect(over.or(question(page)).first()).toBeVisible();
    if (await over.isVisible()) return;
    await question(page)
      .getByRole("button", { name: /^(Allow|Yes)/ })
      .first()
      .click();
    await expect(question(page)).toBeHidden();
  }
}

/** A control is there exactly when the worker can do what it is for. */
async function expectControls(can: readonly string[], controls: Record<string, Locator>): Promise<void> {
  for (const [capability, control] of Object.entries(controls))
    await expect(control, capability).toHaveCount(can.includes(capability) ? 1 : 0);
}

const played = [
  ...everyWorker.map((worker) => ({ title: worker, worker, isReal: false })),
  ...realAgents.map((worker) => ({ title: `${worker} itself`, worker, isReal: true })),
];

for (const { title, ...who } of played) {
  test.describe(title, () => {
    test.use(who);
    if (who.isReal) {
      const program = findAgent(who.worker as RealAgent);
      test.skip(program === undefined, "the real agents are not installed (npm run agents)");
      test.slow(); // some take ten seconds to start
    }

    test("[Y12] is asked, answers, runs a tool, asks back, is stopped, and keeps it all", async ({
      session: page,
      server,
    }) => {
      const facts = async (): Promise<SessionFacts> => {
        const { body } = await server.call("GET", "/api/sessions");
        return (
          (body as { sessions: SessionFacts[] }).sessions[0] ?? { capabilities: [], usage: { cost_usd: 0 } }
        );
      };
      await act(page, { say: ["Hello ", "there."] });
      await untilDone(page, 1);
      await expect(transcript(page).getByText("Hello there.", { exact: true })).toBeVisible();

      const { capabilities } = await facts();
      await expectControls(capabilities, {
        compact: page.getByRole("button", { name: "Compact the context" }),
        thinking_levels: page.getByRole("button", { name: /^Thinking: / }),
        set_model: page.getByRole("button", { name: /^Model/ }),
        branch: page.getByRole("button", { name: "Edit prompt" }),
        approvals: page.getByRole("button", { name: /^Approvals: / }),
      });
      await composer(page).fill("!ls");
      await expectControls(capabilities, { bash: page.getByRole("button", { name: "Run command" }) });
      await composer(page).fill("");

      await act(page, { run: ["echo one"] }, { say: ["It ran."] });
      await untilDone(page, 2);
      await expect(transcript(page).getByRole("button", { name: /echo one/ })).toBeVisible();
      await expect(transcript(page).getByText("It ran.", { exact: true })).toBeVisible();

      await act(page, { ask: true }, { say: ["Thank you."] });
      await untilDone(page, 3);
      await expect(transcript(page).getByText("Thank you.", { exact: true })).toBeVisible();

      await act(page, { say: ["One ", "two "] }, { wait: true });
      await expect(transcript(page).getByText("One two", { exact: true })).toBeVisible();
      await composer(page).fill(promptFor([{ say: ["Queued."] }]));
      await expectControls(capabilities, { steer: page.getByRole("button", { name: "Steer" }) });
      await page.getByRole("button", { name: "Queue" }).click();
      await expect(page.getByRole("region", { name: "Queue" })).toContainText("Queued.");
      await page.getByRole("button", { name: /^Stop/ }).click();
      await expect(turnEnds(page, "aborted")).toHaveCount(1);
      await page.getByRole("button", { name: "Run now" }).click(); // what waits waits on, until somebody wants it
      await expect(transcript(page).getByText("Queued.", { exact: true })).toBeVisible();
      await untilDone(page, 5);

      const { usage } = await facts();
      if (usage.cost_usd > 0) await expect(cost(page)).toContainText("$");
      else await expect(page.getByText("$0", { exact: false })).toHaveCount(0);

      await page.reload();
      await expect(turnEnds(page)).toHaveCount(5);
      await expect(transcript(page).getByText("Queued.", { exact: true })).toBeVisible();
      await expect(state(page, "idle")).toBeVisible();
    });
  });
}

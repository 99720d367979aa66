// Opening: a transcript of ten thousand messages, and a short one with code on a processor four times as slow.
import type { Page } from "@playwright/test";
import { type Findings, figure, type Setting } from "../part.ts";
import { metrics, openStage, percentile, recordTasks, runTurn, type Stage } from "./stage.ts";

const messages = 10_000;

export async function measure({ quick, say }: Setting): Promise<Findings> {
  const rounds = quick ? 2 : 5;
  await using stage = await openStage();
  const long = await stage.session();
  await runTurn(long.viewer, `load ${quick ? 2_000 : messages}`);
  const short = await stage.session();
  await runTurn(short.viewer, "stream 6000 60 0");
  const opened: Opening[] = [];
  const slow: Opening[] = [];
  for (let round = 0; round < rounds; round++) {
    opened.push(await open(stage, long.id, 1));
    slow.push(await open(stage, short.id, 4));
  }
  const best = (all: readonly Opening[]) => Math.min(...all.map(({ shown }) => shown));
  const thread = (all: readonly Opening[]) => Math.min(...all.map(({ cpu }) => cpu));
  const frames = await scroll(stage, long.id);
  const p95 = percentile(frames, 0.95);
  say(
    `10,000 messages in ${figure(best(opened))} ms, 4 × slower ${figure(best(slow))} ms, frames ${figure(p95)} ms`,
  );
  return {
    tables: [
      {
        title: "Opening a session, from the navigation to rows on the screen and a prompt that can be typed",
        header: ["what", "best ms", "all rounds, ms", "thread ms"],
        rows: [
          row("10,000 messages", opened, best, thread),
          row("a transcript with code, processor slowed 4 ×", slow, best, thread),
        ],
        note: "The best of the rounds is the page's own time; other programs of the machine only make it longer. Nothing is cached.",
      },
      {
        title: "Scrolling up through them, 120 px a frame: milliseconds of the page's thread per frame",
        header: ["frames", "p50", "p95", "worst"],
        rows: [
          [String(frames.length), figure(percentile(frames, 0.5)), figure(p95), figure(Math.max(...frames))],
        ],
      },
    ],
    bars: [
      {
        what: "10,000 messages are opened in",
        measured: `${figure(best(opened))} ms`,
        bar: "< 1 s",
        met: best(opened) < 1_000,
      },
      {
        what: "interactive on a processor slowed 4 ×",
        measured: `${figure(best(slow))} ms`,
        bar: "< 1 s",
        met: best(slow) < 1_000,
      },
      {
        what: "thread time of a frame while scrolling, p95",
        measured: `${figure(p95)} ms`,
        bar: "< 16.7 ms",
        met: p95 < 16.7,
      },
    ],
  };
}

interface Opening {
  shown: number;
  cpu: number;
}

const row = (
  what: string,
  all: readonly Opening[],
  best: (all: readonly Opening[]) => number,
  thread: (all: readonly Opening[]) => number,
): string[] => [
  what,
  figure(best(all)),
  all.map(({ shown }) => Math.round(shown)).join(", "),
  figure(thread(all)),
];

async function open(stage: Stage, id: string, slowdown: number): Promise<Opening> {
  const { page, cdp } = await stage.page();
  await page.goto("about:blank");
  await cdp.send("Network.enable");
  await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await noteWhenShown(page);
  const before = await metrics(cdp);
  await page.goto(`${stage.server.url}/sessions/${id}`);
  await page.waitForFunction(() => Reflect.get(window, "shownAt") !== undefined);
  const shown = await page.evaluate(() => Number(Reflect.get(window, "shownAt")));
  const after = await metrics(cdp);
  await page.context().close();
  return { shown, cpu: 1000 * ((after["TaskDuration"] ?? 0) - (before["TaskDuration"] ?? 0)) };
}

/** Notes when there are rows and the prompt can be written. */
async function noteWhenShown(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      const ready =
        document.querySelector("[data-row]") !== null && document.querySelector("textarea") !== null;
      if (!ready) return;
      observer.disconnect();
      requestAnimationFrame(() => Reflect.set(window, "shownAt", performance.now()));
    }).observe(document, { subtree: true, childList: true });
  });
}

/** The thread's time per frame, while the reader goes up through rows that were never on the page. */
async function scroll(stage: Stage, id: string): Promise<number[]> {
  const { page, cdp } = await stage.page();
  await page.goto(`${stage.server.url}/sessions/${id}`);
  await page.locator("[data-row]").first().waitFor();
  const stop = await recordTasks(cdp);
  await page.getByRole("log", { name: "Transcript" }).evaluate(async (log) => {
    for (let frame = 0; frame < 300; frame++) {
      log.scrollTop -= 120;
      await new Promise(requestAnimationFrame);
    }
  });
  const tasks = await stop();
  await page.context().close();
  return tasks.filter(({ cpu }) => cpu > 0.5).map(({ cpu }) => cpu); // a frame's task, not a timer's
}

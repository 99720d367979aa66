// Opening: a transcript of ten thousand messages, and a short one with code on a processor four times as slow.
import { type Findings, figure, type Setting } from "../part.ts";
import { type BareBrowser, openBareBrowser } from "./bare-browser.ts";
import { chromiumPath, openStage, percentile, recordTasks, runTurn, type Stage } from "./stage.ts";

const messages = 10_000;

export async function measure({ quick, say }: Setting): Promise<Findings> {
  const rounds = quick ? 2 : 5;
  await using stage = await openStage();
  await using browser = await openBareBrowser(chromiumPath);
  const long = await stage.session();
  await runTurn(long.viewer, `load ${quick ? 2_000 : messages}`);
  const short = await stage.session();
  await runTurn(short.viewer, "stream 6000 60 0");
  const opened: Opening[] = [];
  const slow: Opening[] = [];
  for (let round = 0; round < rounds; round++) {
    opened.push(await open(browser, stage, long.id, 1));
    slow.push(await open(browser, stage, short.id, 4));
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
        title:
          "Opening a session, from the navigation to its formatted end on the screen and a prompt that can be typed and sent",
        header: ["what", "best ms", "all rounds, ms", "thread ms"],
        rows: [
          row("10,000 messages", opened, best, thread),
          row("a transcript with code, processor slowed 4 ×", slow, best, thread),
        ],
        note: "The best of the rounds is the page's own time; other programs of the machine only make it longer. Each visit has a profile of its own, and no inspector but the one that slows it down.",
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

/** A first visit by somebody who is logged in. */
async function open(browser: BareBrowser, { server }: Stage, id: string, slowdown: number): Promise<Opening> {
  const login = await fetch(`${server.url}/api/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: server.token }),
  });
  const { secret } = (await login.json()) as { secret: string };
  await using tab = await browser.tab(server.url, login.headers.get("set-cookie") ?? "");
  const { send, evaluate } = tab;
  const cpu = async (): Promise<number> => {
    const { metrics } = await send("Performance.getMetrics");
    const all = metrics as { name: string; value: number }[];
    return 1000 * (all.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const size = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };
  await send("Emulation.setDeviceMetricsOverride", size);
  await send("Emulation.setFocusEmulationEnabled", { enabled: true }); // as in a window in front
  await send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await send("Performance.enable", { timeDomain: "threadTicks" });
  const keepSecret = `localStorage.setItem("patchbay.login", ${JSON.stringify(secret)});`;
  await send("Page.addScriptToEvaluateOnNewDocument", { source: keepSecret + noteWhenShown });
  const before = await cpu();
  const loaded = tab.event("Page.loadEventFired");
  await send("Page.navigate", { url: `${server.url}/sessions/${id}` });
  await loaded;
  const shown = Number(await evaluate("window.shown"));
  const used = (await cpu()) - before;
  await evaluate('document.querySelector("textarea").focus()');
  await send("Input.dispatchKeyEvent", { type: "char", text: "x" });
  const problem = await evaluate(whatIsMissing);
  if (problem !== "") throw new Error(`What was shown cannot be used: ${String(problem)}`);
  return { shown, cpu: used };
}

/** Notes when an answer's end is there as it stays, not as what stands in for it, and the prompt can be written. */
const noteWhenShown = `window.shown = new Promise((resolve) => {
  new MutationObserver((_changes, observer) => {
    if (document.querySelector("[data-row] .prose-run > p, [data-row] .prose-run > figure") === null) return;
    if (document.querySelector("textarea") === null) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now()));
  }).observe(document, { subtree: true, childList: true });
})`;

/** Looks whether it was true: the end is in view, the key that was pressed is written, and it can be sent. */
const whatIsMissing = `(async () => {
  const log = document.querySelector('[role="log"]');
  for (let frame = 0; frame < 30; frame++) {
    await new Promise(requestAnimationFrame);
    if (document.querySelector("textarea").value === "x") break;
  }
  if (log.scrollHeight - log.clientHeight - log.scrollTop > 1) return "the end is out of view";
  if (document.querySelector("textarea").value !== "x") return "what is typed is not shown";
  if (document.querySelector('button[aria-label^="Send"]')?.disabled !== false) return "it cannot be sent";
  return "";
})()`;

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

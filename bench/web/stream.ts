// 2,000 deltas a second for half a minute, while somebody types and somebody else reads further up.
import { type Findings, figure, type Setting } from "../part.ts";
import { openStage, percentile, recordTasks, runTurn } from "./stage.ts";

const perSecond = 2_000;

export async function measure({ quick, say }: Setting): Promise<Findings> {
  const seconds = quick ? 8 : 30;
  await using stage = await openStage();
  const { id, viewer } = await stage.session();
  await runTurn(viewer, "load 400");
  const { page, cdp } = await stage.page();
  await page.goto(`${stage.server.url}/sessions/${id}`);
  const log = page.getByRole("log", { name: "Transcript" });
  await log.locator("[data-row]").first().waitFor();
  const stop = await recordTasks(cdp);
  const deltas = perSecond * seconds;
  await viewer.ask({ type: "prompt", message: `stream ${deltas * 5} ${deltas} ${perSecond}` });
  await log.getByText("Part 3", { exact: true }).first().waitFor();

  // Typing, while the end is followed: from the key to the picture that shows it, as the browser itself tells (Event
  // Timing, in steps of 8 ms). A message that is posted with the frame comes later: after a key, messages wait.
  const composer = page.getByRole("textbox", { name: "Prompt" });
  await composer.focus();
  await page.evaluate(() => {
    const times: number[] = [];
    Reflect.set(window, "typed", times);
    const options = { type: "event", durationThreshold: 16, buffered: false };
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "keydown") times.push(duration);
    }).observe(options);
  });
  let keys = 0;
  const until = performance.now() + (seconds * 1000) / 2.5;
  while (performance.now() < until) {
    await page.keyboard.press("x");
    keys++;
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(500); // the browser tells of a key some time after its picture
  const told = await page.evaluate(() => Reflect.get(window, "typed") as number[]);
  if (told.length < keys / 2) throw new Error(`the browser told of ${told.length} keys of ${keys}`);
  const typed = [...told, ...Array.from({ length: keys - told.length }, () => 8)]; // faster ones are not told

  // Reading: the scroll position and what is seen must not move while the rest arrives.
  await log.hover();
  await page.mouse.wheel(0, -1_500);
  await page.getByRole("button", { name: /^Jump to latest/ }).waitFor();
  await page.waitForTimeout(500); // the wheel's own animation
  const moved = await page.evaluate(
    async (watchFor) => {
      const log = document.querySelector("[role=log]");
      const edge = log?.getBoundingClientRect().top ?? 0;
      const seen = document.elementFromPoint(700, edge + 200);
      const top = log?.scrollTop ?? 0;
      const at = seen?.getBoundingClientRect().top ?? 0;
      const height = log?.scrollHeight ?? 0;
      let most = 0;
      let frames = 0;
      const end = performance.now() + watchFor;
      while (performance.now() < end) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        frames++;
        const shifted = Math.abs((seen?.getBoundingClientRect().top ?? 0) - at);
        most = Math.max(most, Math.abs((log?.scrollTop ?? 0) - top), shifted);
      }
      return {
        most,
        frames,
        connected: seen?.isConnected === true,
        grown: (log?.scrollHeight ?? 0) - height,
      };
    },
    (seconds * 1000) / 3,
  );
  await viewer.state("idle");
  await page.waitForTimeout(500);
  const tasks = await stop();
  const longest = Math.max(0, ...tasks.map(({ cpu }) => cpu));
  const onTheClock = Math.max(0, ...tasks.map(({ wall }) => wall));
  const p95 = percentile(typed, 0.95);
  say(
    `typing p95 ${figure(p95)} ms of ${typed.length}, longest task ${figure(longest)} ms, moved ${moved.most} px`,
  );
  if (!moved.connected) throw new Error("what the reader looked at was replaced");
  return {
    tables: [
      {
        title: `${perSecond.toLocaleString("en-US")} deltas/s for ${seconds} s`,
        header: ["what", "figure"],
        rows: [
          ["keys typed", String(typed.length)],
          ["key to picture, p50 ms", figure(percentile(typed, 0.5))],
          ["key to picture, p95 ms", figure(p95)],
          ["longest task, ms of the page's thread", figure(longest)],
          ["longest task, ms on the clock", figure(onTheClock)],
          [
            "all tasks, share of the thread",
            `${figure((tasks.reduce((sum, { cpu }) => sum + cpu, 0) / seconds / 1000) * 100)} %`,
          ],
          ["frames while reading", String(moved.frames)],
          ["grown below the reader, px", figure(moved.grown)],
          ["moved under the reader, px", figure(moved.most)],
        ],
      },
    ],
    bars: [
      {
        what: "typing latency p95 while streaming",
        measured: `${figure(p95)} ms`,
        bar: "< 50 ms",
        met: p95 < 50,
      },
      {
        what: "longest task while streaming, thread time",
        measured: `${figure(longest)} ms`,
        bar: "≤ 100 ms",
        met: longest <= 100,
      },
      {
        what: "a reader further up is moved by",
        measured: `${figure(moved.most)} px`,
        bar: "0 px",
        met: moved.most === 0,
      },
    ],
  };
}

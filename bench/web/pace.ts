// An answer at the pace of an ordinary model, 100 deltas a second: how much of the page's thread it takes to show it.
import { type Findings, figure, type Setting } from "../part.ts";
import { metrics, openStage } from "./stage.ts";

const perSecond = 100;
const bytesPerDelta = 50;
const most = 0.15;

export async function measure({ quick, say }: Setting): Promise<Findings> {
  const seconds = quick ? 10 : 30;
  await using stage = await openStage();
  const { id, viewer } = await stage.session();
  const { page, cdp } = await stage.page();
  await page.goto(`${stage.server.url}/sessions/${id}`);
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  const deltas = perSecond * seconds;
  // Nothing looks at the page meanwhile: the inspector's questions run on the same thread.
  const before = await metrics(cdp);
  const began = performance.now();
  await viewer.ask({ type: "prompt", message: `stream ${deltas * bytesPerDelta} ${deltas} ${perSecond}` });
  await viewer.state("busy");
  await viewer.state("idle");
  const took = (performance.now() - began) / 1000;
  const after = await metrics(cdp);
  await page.locator("[data-turn]").last().waitFor();
  const spent = (name: string): number => (after[name] ?? 0) - (before[name] ?? 0);
  const share = spent("TaskDuration") / took;
  say(`${figure(share * 100)} % of the page's thread`);
  return {
    tables: [
      {
        title: `${perSecond} deltas/s for ${seconds} s, ${(deltas * bytesPerDelta) / 1000} KB of Markdown: seconds of the page's thread`,
        header: ["scripting", "style", "layout", "all tasks", "share of the time"],
        rows: [
          [
            ...["ScriptDuration", "RecalcStyleDuration", "LayoutDuration", "TaskDuration"].map((name) =>
              figure(spent(name)),
            ),
            `${figure(share * 100)} %`,
          ],
        ],
      },
    ],
    bars: [
      {
        what: "the page's thread at an ordinary pace",
        measured: `${figure(share * 100)} %`,
        bar: "≤ 15 %",
        met: share <= most,
      },
    ],
  };
}

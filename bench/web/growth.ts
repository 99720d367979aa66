// A long answer in small pieces: the page's work must grow with its length, not with its square.
import { type Findings, figure, median, type Setting } from "../part.ts";
import { metrics, openStage, type Stage } from "./stage.ts";

/** At this pace nearly every frame of the screen brings some deltas, whatever the length. */
const perSecond = 400;

export async function measure({ quick, say }: Setting): Promise<Findings> {
  await using stage = await openStage();
  const lengths = quick ? [50_000, 100_000] : [100_000, 200_000, 400_000];
  const rounds = quick ? 1 : 2;
  const rows: string[][] = [];
  const scripting: number[] = [];
  for (const length of lengths) {
    const found: Costs[] = [];
    for (let round = 0; round < rounds; round++) found.push(await stream(stage, length, length / 50));
    const one = (name: keyof Costs) => median(found.map((costs) => costs[name]));
    scripting.push(one("script"));
    rows.push([
      `${length / 1000} KB in ${(length / 50).toLocaleString("en-US")} deltas`,
      ...(["script", "style", "layout", "task"] as const).map((name) => figure(one(name))),
    ]);
    say(`${length / 1000} KB: ${figure(one("script"))} s of scripting`);
  }
  const ratio = (scripting.at(-1) ?? Number.NaN) / (scripting.at(-2) ?? Number.NaN);
  return {
    tables: [
      {
        title: "One answer, streamed: seconds of the page's thread",
        header: ["answer", "scripting", "style", "layout", "all tasks"],
        rows,
        note: "Scripting is Chromium's ScriptDuration. What is followed is also laid out and painted, once per frame.",
      },
    ],
    bars: [
      {
        what: "twice the answer, scripting time",
        measured: `${figure(ratio)} ×`,
        bar: "≤ 2.3 ×",
        met: ratio <= 2.3,
      },
    ],
  };
}

interface Costs {
  script: number;
  style: number;
  layout: number;
  task: number;
}

async function stream(stage: Stage, characters: number, deltas: number): Promise<Costs> {
  const { id, viewer } = await stage.session();
  const { page, cdp } = await stage.page();
  await page.goto(`${stage.server.url}/sessions/${id}`);
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  const before = await metrics(cdp);
  await viewer.ask({ type: "prompt", message: `stream ${characters} ${deltas} ${perSecond}` });
  await viewer.state("busy");
  await viewer.state("idle");
  await page.locator("[data-turn]").last().waitFor();
  const after = await metrics(cdp);
  await page.context().close();
  const spent = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  return {
    script: spent("ScriptDuration"),
    style: spent("RecalcStyleDuration"),
    layout: spent("LayoutDuration"),
    task: spent("TaskDuration"),
  };
}

// A tab that stays open: what it keeps after a thousand turns, with everything collected that can be.
import { type Findings, figure, type Setting } from "../part.ts";
import { heapAfterGc, metrics, openStage, runTurn } from "./stage.ts";

export async function measure({ quick, say }: Setting): Promise<Findings> {
  const steps = quick ? [60, 120, 180] : [250, 500, 750, 1_000];
  await using stage = await openStage();
  const { id, viewer } = await stage.session();
  const { page, cdp } = await stage.page();
  await page.goto(`${stage.server.url}/sessions/${id}`);
  await page.getByRole("textbox", { name: "Prompt" }).waitFor();
  const rows: string[][] = [];
  const heaps: number[] = [];
  let turns = 0;
  for (const step of steps) {
    for (; turns < step; turns++) await runTurn(viewer, `turn ${turns}`);
    await page.getByText(`Turn ${turns - 1}.`).waitFor();
    const heap = await heapAfterGc(cdp);
    const { Nodes = 0, JSEventListeners = 0 } = await metrics(cdp);
    heaps.push(heap);
    rows.push([step.toLocaleString("en-US"), figure(heap / 1e6), String(Nodes), String(JSEventListeners)]);
    say(`${step} turns: ${figure(heap / 1e6)} MB, ${Nodes} nodes`);
  }
  const perTurn = ((heaps.at(-1) ?? 0) - (heaps[0] ?? 0)) / ((steps.at(-1) ?? 0) - (steps[0] ?? 0));
  const growth = (heaps.at(-1) ?? 0) / (heaps[0] ?? 1);
  return {
    tables: [
      {
        title: "One tab, turn after turn",
        header: ["turns", "heap MB", "DOM nodes", "listeners"],
        rows,
        note: `A turn here is a prompt, a thought, a tool call with its output and an answer: 2.6 KB of text. The heap grows by ${figure(perTurn)} bytes per turn.`,
      },
    ],
    bars: [
      {
        what: `heap after ${steps.at(-1)?.toLocaleString("en-US")} turns, against ${steps[0]}`,
        measured: `${figure(growth)} ×`,
        bar: "≤ 1.25 ×",
        met: growth <= 1.25,
      },
    ],
  };
}

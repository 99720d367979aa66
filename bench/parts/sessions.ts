// What a session costs: the server's memory for an idle one, and the time until a new one is ready.
import { patchbay } from "../bridges/patchbay.ts";
import { type Findings, figure, median, type Setting } from "../part.ts";
import { residentMegabytes } from "../process-cost.ts";

const idleSessions = 50;

export async function measure(setting: Setting): Promise<Findings> {
  await using server = await patchbay();
  for (let i = 0; i < 5; i++) await server.create(); // what is loaded once is not a session's cost
  const before = residentMegabytes(server.pid);
  for (let i = 0; i < idleSessions; i++) await server.create();
  const each = ((residentMegabytes(server.pid) - before) / idleSessions) * 1024;

  const times: Record<string, number[]> = { builtin: [], bench: [] };
  for (let round = 0; round < (setting.quick ? 5 : 15); round++) {
    for (const [profile, taken] of Object.entries(times)) {
      const began = performance.now();
      const session = await server.create(profile);
      taken.push(performance.now() - began);
      await server.server.call("DELETE", `/api/sessions/${session}`);
    }
  }
  const row = (title: string, values: number[]) => [
    title,
    figure(median(values)),
    figure(Math.min(...values)),
    figure(Math.max(...values)),
  ];
  setting.say(
    `an idle session: ${figure(each)} KB; ready after ${figure(median(times["builtin"] ?? []))} ms`,
  );
  return {
    tables: [
      {
        title: "Memory of the server",
        header: ["what", "MB"],
        rows: [
          ["the server, before", figure(before)],
          [`one idle session (of ${idleSessions})`, figure(each / 1024)],
        ],
      },
      {
        title: "From POST /api/sessions to idle",
        header: ["worker", "median ms", "best", "worst"],
        rows: [
          row("built-in", times["builtin"] ?? []),
          row("a C program (the server's own share)", times["bench"] ?? []),
        ],
      },
    ],
    bars: [],
  };
}

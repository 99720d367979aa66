// Attaching to a session with 100,000 frames: from the first packet of the connection to `caught_up`.
// In the middle of the turn all frames must be there; after it a snapshot suffices.
import { TestViewer } from "@patchbay/testing/socket-client";
import { patchbay } from "../bridges/patchbay.ts";
import { type Findings, figure, median, type Setting } from "../part.ts";
import { read } from "../read.ts";

const frames = 100_000;
const bytes = 60;

export async function measure(setting: Setting): Promise<Findings> {
  await using server = await patchbay();
  const session = await server.create();
  await read(server.linksTo([session]), { workload: "hold", count: frames, bytes });
  const rows: string[][] = [];
  const rounds = setting.quick ? 3 : 9;

  const attach = async (title: string, query: string) => {
    const times = [];
    let size = 0;
    let verdict = "";
    for (let round = 0; round < rounds; round++) {
      const reading = await read(server.linksTo([session], query), { workload: "attach", bytes });
      if (reading.replayed && reading.frames !== frames) {
        throw new Error(`a replay brought ${reading.frames} frames, not ${frames}`);
      }
      times.push(reading.elapsed_ns / 1e6);
      size = reading.wire_bytes;
      verdict = reading.replayed ? "replay" : "snapshot";
    }
    const first = times[0] ?? Number.NaN;
    rows.push([title, verdict, figure(median(times)), figure(first), figure(size / 1e6)]);
    setting.say(`${title} (${verdict}): ${figure(median(times))} ms, ${figure(size / 1e6)} MB`);
  };

  await attach("mid-turn, from the beginning", "?since=0");
  await attach("mid-turn, new viewer", "");
  await using viewer = new TestViewer(server.server.url, server.server.token, session).countOnly();
  await viewer.state("busy");
  await viewer.ask({ type: "abort" });
  await viewer.state("idle");
  await attach("after the turn, from the beginning", "?since=0");
  await attach("after the turn, new viewer", "");
  return {
    tables: [
      {
        title: `Attach to a session with ${frames.toLocaleString("en-US")} frames of ${bytes} B`,
        header: ["viewer", "verdict", "median ms to caught_up", "first time, ms", "MB"],
        rows,
      },
    ],
    bars: [],
  };
}

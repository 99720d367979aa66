// One session with many viewers: what each further viewer costs the server, and how far behind it is.
import { patchbay } from "../bridges/patchbay.ts";
import { type Bar, type Findings, figure, type Setting } from "../part.ts";
import { read } from "../read.ts";

const hz = 200;

export async function measure(setting: Setting): Promise<Findings> {
  await using server = await patchbay();
  const seconds = setting.quick ? 2 : 8;
  const rows = [];
  const bars: Bar[] = [];
  for (const viewers of [1, 100, 500]) {
    const session = await server.create();
    const reading = await read(server.linksTo([session]), {
      workload: "pace",
      links: viewers,
      count: seconds * hz,
      bytes: 300,
      how: String(hz),
      firstOnly: true,
    });
    const cpu = (reading.cpu / reading.elapsed_ns) * 1e11;
    rows.push([
      String(viewers),
      figure(cpu),
      figure(reading.p50_us),
      figure(reading.p99_us),
      figure(reading.max_us),
    ]);
    if (viewers === 500) {
      bars.push({
        what: "500 viewers, CPU % of a core (goal)",
        measured: figure(cpu),
        bar: "< 40",
        met: cpu < 40,
      });
    }
    setting.say(`${viewers} viewers: ${figure(cpu)} % CPU, p99 ${figure(reading.p99_us)} µs behind`);
  }
  const table = {
    title: `Fan-out: one session at ${hz} frames/s`,
    header: ["viewers", "CPU %", "p50 µs behind", "p99 µs behind", "worst µs"],
    rows,
  };
  return { tables: [table], bars };
}

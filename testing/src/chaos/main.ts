// `npm run chaos -- --minutes 60 --seed 1`: the chaos run for as long as wanted. Exit code 1 when anything was violated.
import { parseArgs } from "node:util";
import { runChaos } from "./chaos.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    sessions: { type: "string", default: "30" },
    viewers: { type: "string", default: "2" },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
say(`seed ${values.seed}, ${values.minutes} minutes`);
const { violations, ...report } = await runChaos({
  seed: Number(values.seed),
  seconds: Number(values.minutes) * 60,
  sessions: Number(values.sessions),
  viewersPerSession: Number(values.viewers),
  say,
});
say(JSON.stringify(report, null, 2));
for (const violation of violations) say(`VIOLATION ${violation}`);
say(`${violations.length} violations`);
process.exit(violations.length === 0 ? 0 : 1);

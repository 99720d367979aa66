// `npm run chaos -- --minutes 60 --seed 1`: the chaos run for any time. Exit code 1 when a rule was violated.
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
const print = (text: string): void => void process.stdout.write(`${text}\n`);
print(`seed ${values.seed}, ${values.minutes} minutes`);
const { violations, ...report } = await runChaos({
  seed: Number(values.seed),
  seconds: Number(values.minutes) * 60,
  sessions: Number(values.sessions),
  viewersPerSession: Number(values.viewers),
  print,
});
print(JSON.stringify(report, null, 2));
for (const violation of violations) print(`VIOLATION ${violation}`);
print(`${violations.length} violations`);
process.exit(violations.length === 0 ? 0 : 1);

// `npm run fuzz -- --minutes 10 --seed 1`: the fuzzer for any time. Exit code 1 when it found a problem.
import { parseArgs } from "node:util";
import { runFuzz } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const print = (text: string): void => void process.stdout.write(`${text}\n`);
print(`seed ${values.seed}, ${values.minutes} minutes`);
const { problems, ...report } = await runFuzz({
  seed: Number(values.seed),
  seconds: Number(values.minutes) * 60,
  print,
});
print(JSON.stringify(report, null, 2));
for (const problem of problems) print(`PROBLEM ${problem}`);
print(`${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

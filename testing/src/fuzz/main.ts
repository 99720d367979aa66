// `npm run fuzz -- --minutes 10 --seed 1`: the fuzzer for as long as wanted. Exit code 1 when it found anything.
import { parseArgs } from "node:util";
import { runFuzz } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
say(`seed ${values.seed}, ${values.minutes} minutes`);
const { problems, ...report } = await runFuzz({
  seed: Number(values.seed),
  seconds: Number(values.minutes) * 60,
  say,
});
say(JSON.stringify(report, null, 2));
for (const problem of problems) say(`PROBLEM ${problem}`);
say(`${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

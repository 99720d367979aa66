// Stands between a server and an honest worker (mutator.mjs SEED COMMAND…): what the server writes is passed on as it is, and of
// what the worker writes every fifth line or so is mutated. Used by the fuzzer.
import { spawn } from "node:child_process";
import { Mutator, randomFrom } from "../src/fuzz/mutate.mjs";

const [seed, ...command] = process.argv.slice(2);
const number = (Number(seed) + process.pid) | 0; // another one for each life
const random = randomFrom(number);
const mutator = new Mutator(number);
const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(child.stdin).on("error", () => {}); // it is gone, and so are we
child.on("exit", (code) => process.exit(code ?? 1));
process.stdout.on("error", () => child.kill("SIGKILL"));

let rest = "";
let lines = 0;
child.stdout.setEncoding("utf8").on("data", (text) => {
  const parts = (rest + text).split("\n");
  rest = parts.pop();
  for (const part of parts) {
    // The first lines are a greeting: a worker that is never greeted shows nothing else.
    const isMutated = ++lines > 3 && random.next() < 0.2;
    process.stdout.write(isMutated ? mutator.line(part) : `${part}\n`);
  }
});

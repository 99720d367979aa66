// Runs the steps of `npm test` and `npm run check`: lanes run side by side, the steps of a lane one after the other.
// The output of the first lane is shown as it comes; that of the others in one piece, when a step is over.
import { spawn } from "node:child_process";
import { root } from "./install.mjs";

/**
 * Runs every lane and answers the results of all steps. A step is `{name, run(program)}`, where `program(name, args, env?)` runs a
 * program of node_modules and rejects when it fails.
 */
export async function runLanes([first, ...others]) {
  const results = await Promise.all([
    runLane(first, runLive),
    ...others.map((lane) => runLane(lane, runQuietly)),
  ]);
  return results.flat();
}

async function runLane(steps, runStep) {
  const results = [];
  for (const step of steps) {
    const started = performance.now();
    const problem = await runStep(step).then(
      () => undefined,
      (error) => (error instanceof Error ? error.message : String(error)),
    );
    results.push({ name: step.name, problem, seconds: (performance.now() - started) / 1000 });
  }
  return results;
}

async function runLive({ name, run }) {
  process.stdout.write(`\n── ${name} ──\n`);
  await run((program, args, env) => spawnProgram(program, args, env, "inherit"));
}

async function runQuietly({ name, run }) {
  let output = "";
  try {
    await run(async (program, args, env) => {
      const child = spawnProgram(program, args, env, "pipe", (text) => {
        output += text;
      });
      await child;
    });
    process.stdout.write(`\n── ${name}: ok ──\n`);
  } catch (error) {
    process.stdout.write(`\n── ${name}: FAILED ──\n${output}\n`);
    throw error;
  }
}

async function spawnProgram(program, args, env, output, onText) {
  const command = process.platform === "win32" ? `${program}.cmd` : program;
  const child = spawn(`${root}/node_modules/.bin/${command}`, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output],
  });
  child.stdout?.setEncoding("utf8").on("data", onText);
  child.stderr?.setEncoding("utf8").on("data", onText);
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with exit code ${code}`);
}

/** The checks that start nothing of ours. */
export const staticSteps = [
  { name: "format", run: (program) => program("biome", ["ci", "--linter-enabled=false", "."]) },
  { name: "lint", run: (program) => program("oxlint", ["--type-aware", "--deny-warnings"]) },
  { name: "types", run: (program) => program("tsc", ["-b"]) },
  { name: "unused", run: (program) => program("knip", ["--no-progress"]) },
];

export function printResults(results) {
  process.stdout.write("\n── summary ──\n");
  for (const { name, problem, seconds } of results) {
    const verdict = problem === undefined ? "ok" : `FAILED: ${problem}`;
    process.stdout.write(`${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s  ${verdict}\n`);
  }
}

/** How many steps passed; sets the exit code. Call it last: it is the last line that a reader sees. */
export function finish(results, started) {
  const failed = results.filter(({ problem }) => problem !== undefined).length;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(`${results.length - failed} passed, ${failed} failed in ${seconds} s\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

// `npm test`: installs what is missing, then runs every check and every test and ends with a summary.
// `npm test -- unit` (or any step's name) runs only that step.
import { spawn } from "node:child_process";
import { checkNode, fail, installPackages, root } from "./install.mjs";

checkNode();
installPackages();

const { ensureBubblewrap } = await import("./bubblewrap.mjs");
const { ensureChromium } = await import("./chromium.mjs");
const { buildAll } = await import("./build.mjs");

const steps = [
  { name: "format", run: () => npx("biome", "ci", "--linter-enabled=false", ".") },
  { name: "lint", run: () => npx("oxlint", "--type-aware", "--deny-warnings") },
  { name: "unused", run: () => npx("knip", "--no-progress") },
  { name: "types", run: () => npx("tsc", "-b") },
  { name: "build", run: () => buildAll() },
  {
    name: "unit",
    async run() {
      ensureBubblewrap();
      await npx("vitest", "run");
    },
  },
  {
    name: "browser",
    run: async () => npx("playwright", "test", { PATCHBAY_CHROMIUM: await ensureChromium() }),
  },
];

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !steps.some((step) => step.name === name));
if (unknown !== undefined)
  fail(`There is no step "${unknown}". Steps: ${steps.map((step) => step.name).join(", ")}.`);

const results = [];
for (const { name, run } of steps.filter((step) => chosen.length === 0 || chosen.includes(step.name))) {
  process.stdout.write(`\n── ${name} ──\n`);
  const started = Date.now();
  const problem = await run().then(
    () => undefined,
    (error) => (error instanceof Error ? error.message : String(error)),
  );
  results.push({ name, problem, seconds: (Date.now() - started) / 1000 });
}

process.stdout.write("\n── summary ──\n");
for (const { name, problem, seconds } of results) {
  const verdict = problem === undefined ? "ok" : `FAILED: ${problem}`;
  process.stdout.write(`${name.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s  ${verdict}\n`);
}
const failed = results.filter((result) => result.problem !== undefined).length;
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs a program of node_modules; a last argument that is an object adds to its environment. */
async function npx(program, ...given) {
  const env = typeof given.at(-1) === "object" ? given.pop() : {};
  const command = process.platform === "win32" ? `${program}.cmd` : program;
  const child = spawn(`${root}/node_modules/.bin/${command}`, given, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with exit code ${code}`);
}

// `npm test`: installs what is missing, then runs every check and every test and ends with a summary.
// `npm test -- unit` (or any step's name) runs only that step. `--strict` (`npm run test:strict`) gives no test a second try.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkNode, fail, installPackages, root } from "./install.mjs";

const started = performance.now();
checkNode();
installPackages();

const { ensureBubblewrap } = await import("./bubblewrap.mjs");
const { ensureChromium, ensureTestChromium } = await import("./chromium.mjs");
const { buildAll } = await import("./build.mjs");
const { finish, printResults, runLanes, staticSteps } = await import("./steps.mjs");

const isStrict = process.argv.includes("--strict");
const reportOf = (step) => join(root, ".cache/test-reports", `${step}.json`);

const tests = [
  { name: "build", run: () => buildAll() },
  {
    name: "unit",
    async run(program) {
      const retry = isStrict ? ["--retry=0"] : [];
      await program("vitest", ["run", ...retry], { PATCHBAY_TEST_REPORT: reportOf("unit") });
    },
  },
  {
    name: "browser",
    async run(program) {
      const retry = isStrict ? ["--retries=0"] : [];
      await program("playwright", ["test", ...retry], {
        ...(await chromium),
        PATCHBAY_TEST_REPORT: reportOf("browser"),
      });
    },
  },
];

const names = [...staticSteps, ...tests].map(({ name }) => name);
const chosen = process.argv.slice(2).filter((argument) => argument !== "--strict");
const unknown = chosen.find((name) => !names.includes(name));
if (unknown !== undefined) fail(`There is no step "${unknown}". Steps: ${names.join(", ")}.`);
const isChosen = ({ name }) => chosen.length === 0 || chosen.includes(name);

const testSteps = ["unit", "browser"];
for (const step of testSteps) rmSync(reportOf(step), { force: true });

// Bubblewrap first: both may be packages of Debian, which installs one at a time. A browser is downloaded while other steps run.
if (tests.some((step) => testSteps.includes(step.name) && isChosen(step))) ensureBubblewrap();
const chromium = isChosen({ name: "browser" }) ? ensureBrowsers() : undefined;
chromium?.catch(() => {}); // the step that needs it reports the failure

const lanes = [tests.filter(isChosen), staticSteps.filter(isChosen)].filter((lane) => lane.length > 0);
const results = await runLanes(lanes);

printResults(results);
printReports();
finish(results, started);

/** One after the other: both may be packages of Debian. */
async function ensureBrowsers() {
  const shell = await ensureTestChromium();
  return { PATCHBAY_CHROMIUM: shell, PATCHBAY_FULL_CHROMIUM: await ensureChromium() };
}

/** Which tests failed or needed a second try, and what was skipped for which reason. */
function printReports() {
  const reports = testSteps.flatMap((step) => {
    const report = readReport(step);
    return report === undefined ? [] : [{ step, ...report }];
  });
  const failed = reports.flatMap((report) => report.failed.map((test) => `${report.step}: ${test}`));
  if (failed.length > 0) process.stdout.write(`\n${failed.length} failed:\n`);
  for (const test of failed) process.stdout.write(`  ${test}\n`);
  const retried = reports.flatMap((report) => report.retried.map((test) => `${report.step}: ${test}`));
  if (retried.length > 0)
    process.stdout.write(
      `\n${retried.length} failed first and passed when run again. Each is a bug of the test or of the product:\n`,
    );
  for (const test of retried) process.stdout.write(`  ${test}\n`);
  const skipped = reports.flatMap((report) =>
    Object.entries(report.skipped).map(([reason, count]) => ({ count, line: `${report.step}: ${reason}` })),
  );
  const total = skipped.reduce((sum, { count }) => sum + count, 0);
  if (total > 0) process.stdout.write(`\n${total} skipped:\n`);
  for (const { count, line } of skipped) process.stdout.write(`${String(count).padStart(6)}  ${line}\n`);
  if (failed.length + retried.length + total > 0) process.stdout.write("\n");
}

function readReport(step) {
  try {
    return JSON.parse(readFileSync(reportOf(step), "utf8"));
  } catch {
    return undefined; // the step did not run, or ended before its report
  }
}

// `npm run check`: format, lint, types and the unit tests of what changed since the branch left main, in at most 90 seconds.
// The tests of a changed file are those that import it, and those in the test folder of the same name (they may reach it only
// through a process). If all of them would take too long, the longest are left out and named. `npm run check -- HEAD` counts
// only what is not committed. `npm test` runs everything.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkNode, installPackages, root } from "./install.mjs";
import { finish, printResults, runLanes, staticSteps } from "./steps.mjs";

const started = performance.now();
checkNode();
installPackages();

/** Milliseconds of test time, as measured one file after the other; three files run at once, beside lint and types. */
const budget = 75_000;
/** For a file that never ran on this machine. */
const usualDuration = 5_000;

const base = process.argv[2] ?? mergeBase();
const changed = changedFiles(base);
const { chosen, leftOut } = choose([...new Set([...importers(base), ...mirrored(changed)])]);

const results = await runLanes([
  [
    {
      name: "tests",
      async run(program) {
        process.stdout.write(`${changed.length} files changed, ${chosen.length} test files\n`);
        if (chosen.length > 0) await program("vitest", ["run", "--retry=0", ...chosen]);
      },
    },
  ],
  staticSteps.filter(({ name }) => name !== "unused"),
]);

printResults(results);
if (leftOut.length > 0)
  process.stdout.write(
    `\nLeft out, because they take long (npx vitest run <file>):\n${leftOut.map((file) => `  ${file}\n`).join("")}\n`,
  );
finish(results, started);

/** Where this branch left main; on main itself the last commit, so that only uncommitted changes count. */
function mergeBase() {
  for (const main of ["main", "origin/main"]) {
    const found = git("merge-base", "HEAD", main);
    if (found.length > 0) return found[0];
  }
  return "HEAD";
}

function changedFiles(since) {
  return [
    ...new Set([...git("diff", "--name-only", since), ...git("ls-files", "--others", "--exclude-standard")]),
  ];
}

function git(...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter((line) => line !== "") : [];
}

/** Test files that import something that changed, however far. */
function importers(since) {
  const args = ["list", "--filesOnly", "--json", "--changed", since];
  const vitest = join(root, "node_modules/.bin/vitest");
  const { stdout } = spawnSync(vitest, args, { cwd: root, encoding: "utf8" });
  const json = stdout.slice(stdout.indexOf("["), stdout.lastIndexOf("]") + 1);
  return json === "" ? [] : JSON.parse(json).map(({ file }) => file.slice(root.length + 1));
}

/** Test files of the folder that mirrors a changed file's: apps/server/src/store/log.ts has apps/server/test/store/. */
function mirrored(files) {
  const folders = new Set();
  for (const file of files) {
    const [, app, inside] = /^((?:apps|packages)\/\w+)\/src\/(?:(.*)\/)?[^/]+$/.exec(file) ?? [];
    for (
      let at = inside;
      app !== undefined && at !== undefined;
      at = at.slice(0, Math.max(0, at.lastIndexOf("/")))
    ) {
      if (at === "") break;
      if (existsSync(join(root, app, "test", at))) {
        folders.add(join(app, "test", at));
        break;
      }
    }
  }
  return [...folders].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** The shortest first, as many as fit; a test file that was itself changed always runs. */
function choose(files) {
  const durations = readDurations();
  const durationOf = (file) => (changed.includes(file) ? 0 : (durations[file] ?? usualDuration));
  let left = budget;
  const isFitting = (file) => {
    left -= durationOf(file);
    return left >= 0;
  };
  const sorted = files.toSorted((a, b) => durationOf(a) - durationOf(b));
  const chosen = sorted.filter(isFitting);
  return { chosen, leftOut: sorted.filter((file) => !chosen.includes(file)) };
}

function readDurations() {
  try {
    return JSON.parse(readFileSync(join(root, ".cache/test-durations.json"), "utf8"));
  } catch {
    return {}; // no test ran here yet
  }
}

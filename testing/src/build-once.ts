// Before all tests: builds worker, server and page if their sources changed, so that tests run what `npm start` would run. After all
// tests: ends shared servers, and processes that a timed-out test has left.
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { processesAtHome } from "./processes.ts";
import { homePrefix, runVariable } from "./test-run.ts";

const build: string = "../../scripts/build.mjs"; // plain JavaScript, without types

export default async function setup(): Promise<() => void> {
  const { buildAll } = (await import(build)) as { buildAll(): Promise<void> };
  await buildAll();
  process.env[runVariable] = randomBytes(4).toString("hex"); // inherited by the processes that run the tests
  return () => {
    for (const pid of processesAtHome(homePrefix())) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // ended in between
      }
    }
    const homes = dirname(homePrefix());
    for (const name of readdirSync(homes))
      if (name.startsWith(basename(homePrefix())))
        rmSync(join(homes, name), { recursive: true, force: true, maxRetries: 3 });
  };
}

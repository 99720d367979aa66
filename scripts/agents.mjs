// Installs the real pi, omp and gemini into .cache/agents, for the tests that drive them against the fake model; without them
// those tests are skipped and say so. Not part of `npm test`: together they are 700 MB.
// node scripts/agents.mjs [pi] [omp] [gemini]
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The versions that the translation was tried with. pi 0.74.2 is the last that runs on Node 20. */
const packages = {
  pi: ["@earendil-works/pi-coding-agent@0.74.2"],
  omp: ["bun@1.4.4", "@oh-my-pi/pi-coding-agent@18.2.3"],
  gemini: ["@google/gemini-cli@0.61.0"],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in packages));
if (unknown.length > 0) {
  process.stderr.write(`There is no agent ${unknown.join(", ")} to install. Known: pi, omp, gemini.\n`);
  process.exit(1);
}
const target = join(fileURLToPath(new URL("..", import.meta.url)), ".cache/agents");
mkdirSync(target, { recursive: true });
const names = wanted.length > 0 ? wanted : Object.keys(packages);
const { status } = spawnSync(
  "npm",
  ["install", "--prefix", target, "--no-audit", "--no-fund", ...names.flatMap((name) => packages[name])],
  { stdio: "inherit" },
);
process.exit(status ?? 1);

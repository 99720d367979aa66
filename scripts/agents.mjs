// Installs the newest real agents into .cache/agents, for the tests that drive them against the fake model (`npm run
// conformance`); without them those tests are skipped and say so. Not part of `npm test`: together they are over 1 GB.
// node scripts/agents.mjs [pi] [omp] [gemini] [opencode] [claude] [codex] [zot]
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package of each, and what it needs beside it. goose is in no package of npm. */
const packages = {
  pi: { newest: "@earendil-works/pi-coding-agent", beside: [] },
  omp: { newest: "@oh-my-pi/pi-coding-agent", beside: ["bun@latest"] },
  gemini: { newest: "@google/gemini-cli", beside: [] },
  opencode: { newest: "opencode-ai", beside: [] },
  claude: { newest: "@agentclientprotocol/claude-agent-acp", beside: [] },
  codex: { newest: "@agentclientprotocol/codex-acp", beside: [] },
};
/** pi and claude need a newer Node than the server: it comes first in the agents' PATH (K26). */
const node = `node-${process.platform}-${process.arch}@24`;
const zot = "github.com/patriceckhart/zot/cmd/zot@latest";
/** How many releases before the newest are tried, if a registry does not have all parts of the newest. */
const olderReleases = 8;
const known = [...Object.keys(packages), "zot"];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no agent ${unknown.join(", ")} to install. Known: ${known.join(", ")}.\n`);
  process.exit(1);
}
const target = join(fileURLToPath(new URL("..", import.meta.url)), ".cache/agents");
mkdirSync(target, { recursive: true });
const names = wanted.length > 0 ? wanted : known;

const failed = names.filter((name) => name !== "zot" && !installPackage(packages[name]));
if (failed.length > 0) process.stderr.write(`Not installed: ${failed.join(", ")}.\n`);
process.exit(names.includes("zot") && !installZot() ? 1 : Number(failed.length > 0));

/** One by one: a package that cannot be installed does not keep the others from it. */
function installPackage({ newest, beside }) {
  for (const version of ["latest", ...releasesOf(newest)]) {
    if (npm("install", "--prefix", target, node, ...beside, `${newest}@${version}`)) return true;
    process.stderr.write(`${newest}@${version} cannot be installed; the release before it is tried.\n`);
  }
  return false;
}

function npm(...args) {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  return spawnSync("npm", [...args, ...quiet], { stdio: "inherit" }).status === 0;
}

/** The releases before the newest, the last first, without previews. */
function releasesOf(name) {
  const { stdout } = spawnSync("npm", ["view", name, "versions", "--json"], { encoding: "utf8" });
  const versions = JSON.parse(stdout || "[]").filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  return versions.toReversed().slice(1, 1 + olderReleases);
}

/** Without Go there is no zot; that is a reason to fail only when it was asked for. */
function installZot() {
  const env = { ...process.env, GOBIN: join(target, "bin") };
  const { error, status } = spawnSync("go", ["install", zot], { stdio: "inherit", env });
  if (error === undefined && status === 0) return true;
  const why = error === undefined ? "Go could not install it" : "Go is not installed: https://go.dev/dl";
  process.stderr.write(`zot was not installed. ${why}.\n`);
  return !wanted.includes("zot");
}

// Installs the real pi, omp, gemini, opencode and (where Go is) zot into .cache/agents, for the tests that drive them against the fake
// model; without them those tests are skipped and say so. Not part of `npm test`: together they are 1 GB.
// node scripts/agents.mjs [pi] [omp] [gemini] [opencode] [zot]
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The versions that the translation was tried with. pi 0.74.2 is the last that runs on Node 20. */
const packages = {
  pi: ["@earendil-works/pi-coding-agent@0.74.2"],
  omp: ["bun@1.4.4", "@oh-my-pi/pi-coding-agent@18.2.3"],
  gemini: ["@google/gemini-cli@0.61.0"],
  opencode: ["opencode-ai@1.18.33"],
};
const zot = "github.com/patriceckhart/zot/cmd/zot@latest";
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

const fromNpm = names.flatMap((name) => packages[name] ?? []);
const npm = ["install", "--prefix", target, "--no-audit", "--no-fund", ...fromNpm];
const failed = fromNpm.length > 0 && spawnSync("npm", npm, { stdio: "inherit" }).status !== 0;
process.exit(names.includes("zot") && !installZot() ? 1 : Number(failed));

/** Without Go there is no zot; that is a reason to fail only when it was asked for. */
function installZot() {
  const env = { ...process.env, GOBIN: join(target, "bin") };
  const { error, status } = spawnSync("go", ["install", zot], { stdio: "inherit", env });
  if (error === undefined && status === 0) return true;
  const why = error === undefined ? "Go could not install it" : "Go is not installed: https://go.dev/dl";
  process.stderr.write(`zot was not installed. ${why}.\n`);
  return error !== undefined && !wanted.includes("zot");
}

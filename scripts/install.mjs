// Installs what is missing, and nothing when everything is there: the lockfile's hash is noted beside
// what was installed from it. Plain JavaScript without imports of ours, because it runs first.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".patchbay-installed");

export function fail(sentence) {
  process.stderr.write(`patchbay: ${sentence}\n`);
  process.exit(1);
}

export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `Node ${process.versions.node} is too old: Patchbay needs 20.19 or newer. Install one from nodejs.org.`,
  );
}

export function installPackages() {
  if (readIfThere(stamp) === lockHash()) return;
  process.stderr.write("patchbay: installing packages (once; about a minute)\n");
  // Not `npm ci`: it refuses a lockfile that lacks another platform's optional packages, and a mirror of the
  // registry need not have those. npm's words go to stderr: stdout belongs to the one line that programs read.
  const { status } = spawnSync("npm", ["install", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) fail("npm install failed; its own words are above. Check the network and try again.");
  writeFileSync(stamp, lockHash());
}

function lockHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // never installed
  }
}

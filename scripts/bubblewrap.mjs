// Installs bubblewrap for the tests of the sandbox where it is missing: Debian's package, when we are root. Elsewhere those
// tests are skipped, and the summary says how many and why.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./install.mjs";

export function ensureBubblewrap() {
  if (process.platform !== "linux" || isInstalled()) return;
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return;
  process.stderr.write("patchbay: installing Debian's bubblewrap for the tests of the sandbox\n");
  if (install()) return;
  run("apt-get", ["update", "-qq"]);
  install();
}

const isInstalled = () =>
  (process.env.PATH ?? "").split(delimiter).some((directory) => existsSync(join(directory, "bwrap")));

const install = () => run("apt-get", ["install", "-y", "-qq", "bubblewrap"]);

function run(program, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(program, args, { cwd: root, env, stdio: ["ignore", 2, 2] }).status === 0;
}

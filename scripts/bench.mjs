// `npm run bench [-- --quick] [part…]`: installs and builds what is missing, then measures the relay
// against the bare pipe and other bridges. bench/RESULTS.md is written when all parts were run.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { checkNode, fail, installPackages, root } from "./install.mjs";

checkNode();
installPackages();
if (process.platform !== "linux") fail("The bench reads /proc and needs Linux.");
const { buildAll } = await import("./build.mjs");
await buildAll();
const bench = spawn(
  process.execPath,
  ["--import", "tsx", join(root, "bench/main.ts"), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: "inherit",
  },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => bench.kill(signal));
bench.once("exit", (code) => {
  process.exitCode = code ?? 1;
});

// `npm run bench [-- --quick] [part…]`: installs and builds what is missing, then measures the relay
// against the bare pipe and other bridges. bench/RESULTS.md is written when all parts were run.
import { checkNode, fail, installPackages } from "./install.mjs";

checkNode();
installPackages();
if (process.platform !== "linux") fail("The bench reads /proc and needs Linux.");
const { buildAll } = await import("./build.mjs");
await buildAll();
const { register } = await import("tsx/esm/api"); // the bench is TypeScript that nobody builds
register();
await import("../bench/main.ts");

// `npm run fuzz -- --minutes 10 --seed 1`: installs and builds what is missing, then sends a server mutated lines of workers,
// a daemon, viewers and HTTP calls (testing/src/fuzz).
import { checkNode, fail, installPackages } from "./install.mjs";

checkNode();
installPackages();
if (process.platform !== "linux") fail("The fuzzer reads /proc and needs Linux.");
const { buildAll } = await import("./build.mjs");
await buildAll();
const { register } = await import("tsx/esm/api"); // it is TypeScript that nobody builds
register();
await import("../testing/src/fuzz/main.ts");

// `npm run chaos -- --minutes 60 --seed 1`: installs and builds what is missing, then lets people, kills, full disks and
// jumping clocks loose on a server and checks that nothing was lost, doubled or misnumbered (testing/src/chaos).
import { checkNode, fail, installPackages } from "./install.mjs";

checkNode();
installPackages();
if (process.platform !== "linux") fail("The chaos run reads /proc and needs Linux.");
const { buildAll } = await import("./build.mjs");
await buildAll();
const { register } = await import("tsx/esm/api"); // it is TypeScript that nobody builds
register();
await import("../testing/src/chaos/main.ts");

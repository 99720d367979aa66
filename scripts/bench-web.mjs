// `npm run bench:web [-- --quick] [part…]`: installs and builds what is missing, then measures the page in a real
// Chromium. bench/RESULTS-WEB.md is written when all parts were run.
import { checkNode, installPackages } from "./install.mjs";

checkNode();
installPackages();
const { ensureChromium } = await import("./chromium.mjs");
process.env.PATCHBAY_CHROMIUM = await ensureChromium();
const { buildAll } = await import("./build.mjs");
await buildAll();
const { register } = await import("tsx/esm/api"); // the bench is TypeScript that nobody builds
register();
await import("../bench/web/main.ts");

// Bundles the server and its libraries into one file, and its export thread into another: started from hundreds of files it
// takes twice as long. What is native, or starts threads from files of its own, stays in node_modules.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

export async function buildServer({ outdir }) {
  await build({
    entryPoints: {
      main: join(here, "src/main.ts"),
      "export-thread": join(here, "src/export/export-thread.ts"),
    },
    outdir,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["@photostructure/sqlite", "pino", "pino-pretty"],
    mainFields: ["module", "main"], // what is written for both is not resolved twice
    // Libraries that are not modules ask for Node's own parts by this.
    banner: {
      js: 'import { createRequire as bundledRequire } from "node:module"; const require = bundledRequire(import.meta.url);',
    },
    alias: {
      "@patchbay/protocol": join(here, "../../packages/protocol/src/index.ts"),
      "@patchbay/export": join(here, "../../packages/export/src/index.ts"),
      "@patchbay/sandbox": join(here, "../../packages/sandbox/src/index.ts"),
    },
    // Less to read at every start; names stay, for the stacks in reports.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    logLevel: "warning",
  });
}

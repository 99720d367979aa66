// Bundles our own server code into one file; libraries stay in node_modules, where they belong.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

export async function buildServer({ outdir }) {
  await build({
    entryPoints: [join(here, "src/main.ts")],
    outfile: join(outdir, "main.js"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    alias: { "@patchbay/protocol": join(here, "../../packages/protocol/src/index.ts") },
    sourcemap: true,
    logLevel: "warning",
  });
}

// Bundles our own server code into one file; libraries stay in node_modules, where they belong.
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

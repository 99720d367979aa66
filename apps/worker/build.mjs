// Bundles the worker: a CommonJS entry that answers at once, and ES module chunks for everything that
// can wait. On Node 20 a CommonJS entry starts faster than an ES module (bench/worker-start.mjs), but
// only ES modules can be split; so what the entry imports dynamically becomes the second build.

import { readFileSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

export const workerEntry = "worker.cjs";

export async function buildWorker({ outdir }) {
  const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const shared = {
    bundle: true,
    platform: "node",
    target: "node20.19",
    minify: true,
    keepNames: false,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    define: { PATCHBAY_VERSION: JSON.stringify(version) },
  };
  const later = new Map();
  const entry = await build({
    ...shared,
    entryPoints: [join(here, "src/main.ts")],
    outfile: join(outdir, workerEntry),
    format: "cjs",
    plugins: [parseJson, loadLater(later)],
  });
  const chunks = await build({
    ...shared,
    entryPoints: {
      ...Object.fromEntries(later),
      "search-thread": join(here, "src/search/search-thread.ts"),
      cli: join(here, "src/cli/main.ts"),
    },
    outdir,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    splitting: true,
    // Some of the providers' libraries are CommonJS inside and call require().
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  const written = [entry, chunks].flatMap(({ metafile }) => Object.keys(metafile.outputs));
  await removeStale(outdir, new Set(written.map((path) => resolve(path))));
}

/** Older builds' chunks go, but not at once: a worker that runs may still load one of its own. */
async function removeStale(outdir, current) {
  const anHourAgo = Date.now() - 3_600_000;
  for (const entry of await readdir(outdir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || current.has(resolve(path))) continue;
    if ((await stat(path)).mtimeMs < anHourAgo) await rm(path, { force: true });
  }
}

/** The catalog as a string: JSON.parse reads it in a third of the time that JavaScript would take. */
const parseJson = {
  name: "parse-json",
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, "utf8")));
      return { contents: `export default JSON.parse(${JSON.stringify(text)})`, loader: "js" };
    });
  },
};

/** Leaves dynamic imports in the entry as they are, and notes what they need. */
const loadLater = (later) => ({
  name: "load-later",
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const file = resolve(resolveDir, path);
      const name = path.split("/").at(-1).replace(/\.ts$/, "");
      later.set(name, file);
      return { path: `./${name}.mjs`, external: true };
    });
  },
});

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildWorker({ outdir: join(here, "../../dist/worker") });
}

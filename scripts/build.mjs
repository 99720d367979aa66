// Builds worker, server and page into dist/, each only when its sources are newer than what was built.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "./install.mjs";

const run = promisify(execFile);
const dist = join(root, "dist");
const shared = ["packages/protocol/src", "packages/export/src", "package-lock.json"];
/** What worker and server know beside it. */
const sandbox = "packages/sandbox/src";

const parts = [
  {
    name: "worker",
    sources: [...shared, sandbox, "apps/worker/src", "apps/worker/build.mjs"],
    async build() {
      const { buildWorker } = await import("../apps/worker/build.mjs");
      await buildWorker({ outdir: join(dist, "worker") });
    },
  },
  {
    name: "examples",
    sources: ["packages/extension/src", "examples/extensions/typescript/main.ts"],
    /** One file that plain Node runs: what an author of an extension would do with their own. */
    async build() {
      const { build } = await import("esbuild");
      const directory = join(root, "examples/extensions/typescript");
      await build({
        entryPoints: [join(directory, "main.ts")],
        outfile: join(directory, "dist/main.mjs"),
        bundle: true,
        platform: "node",
        format: "esm",
        target: "node20.19",
        logLevel: "warning",
      });
    },
  },
  {
    name: "web",
    sources: [
      ...shared,
      "apps/web/src",
      "apps/web/index.html",
      "apps/web/public",
      "apps/web/shared.html",
      "apps/web/vite.config.ts",
      "apps/web/vite.shared.config.ts",
      "apps/web/first-load.ts",
      "apps/web/compressed.ts",
    ],
    /** In a process of its own: who builds may run with another NODE_ENV (tests do) and must keep it. */
    async build() {
      const vite = join(root, "node_modules/vite/bin/vite.js");
      const env = { ...process.env, NODE_ENV: "production" };
      const cwd = join(root, "apps/web");
      await run(process.execPath, [vite, "build", "--logLevel", "warn"], { cwd, env });
      const shared = [vite, "build", "--config", "vite.shared.config.ts", "--logLevel", "warn"];
      await run(process.execPath, shared, { cwd, env });
    },
  },
  {
    name: "server",
    sources: [
      ...shared,
      sandbox,
      "apps/server/src",
      "apps/server/build.mjs",
      "apps/server/load-bundle.mjs",
      "apps/server/compile-bundle.mjs",
    ],
    /** The last: it is started once. */
    async build() {
      const { buildServer } = await import("../apps/server/build.mjs");
      await buildServer({ outdir: join(dist, "server") });
    },
  },
];

/** All of it, or the parts that are named. */
export async function buildAll(names = parts.map((part) => part.name)) {
  mkdirSync(dist, { recursive: true });
  for (const part of parts.filter(({ name }) => names.includes(name))) {
    const stamp = join(dist, `.${part.name}-built`);
    const wanted = fingerprint(part.sources);
    if (readIfThere(stamp) === wanted) continue;
    process.stderr.write(`patchbay: building the ${part.name}\n`);
    await part.build();
    writeFileSync(stamp, wanted);
  }
}

/** Names, sizes and times of all source files: a second start must not read them all. */
function fingerprint(sources) {
  const hash = createHash("sha256");
  for (const source of sources) for (const line of describe(join(root, source))) hash.update(line);
  return hash.digest("hex");
}

function* describe(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (!stat.isDirectory()) yield `${path} ${stat.size} ${stat.mtimeMs}\n`;
  else for (const name of readdirSync(path).sort()) yield* describe(join(path, name));
}

function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // never built
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildAll();

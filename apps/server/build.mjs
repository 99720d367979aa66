// Bundles the server and its libraries into one file, and its export thread into another: started from hundreds of files it
// takes twice as long. What is native, or starts threads from files of its own, stays in node_modules.
// `main.js` runs the bundle with the code that V8 compiled for it: see `load-bundle.mjs`.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));

const shared = {
  bundle: true,
  platform: "node",
  target: "node20",
  external: ["@node-rs/argon2", "@photostructure/sqlite", "pino-pretty"],
  mainFields: ["module", "main"], // what is written for both is not resolved twice
  alias: {
    "@patchbay/protocol": join(here, "../../packages/protocol/src/index.ts"),
    "@patchbay/export": join(here, "../../packages/export/src/index.ts"),
    "@patchbay/sandbox": join(here, "../../packages/sandbox/src/index.ts"),
  },
  // Less to read at every start; names stay, for the stacks in reports.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
};

export async function buildServer({ outdir }) {
  mkdirSync(outdir, { recursive: true });
  await build({
    ...shared,
    entryPoints: { "export-thread": join(here, "src/export/export-thread.ts") },
    outdir,
    format: "esm",
    // Libraries that are not modules ask for Node's own parts by this.
    banner: {
      js: 'import { createRequire as bundledRequire } from "node:module"; const require = bundledRequire(import.meta.url);',
    },
  });
  const { outputFiles } = await build({
    ...shared,
    entryPoints: { server: join(here, "src/main.ts") },
    outdir,
    write: false,
    format: "cjs",
    define: { "import.meta.url": "bundleUrl" },
    // The function that Node makes of a module, here already: the file is run as it is read, without another copy of it.
    banner: {
      js: `(function (exports, require, module, __filename, __dirname) {
const bundleUrl = require("node:url").pathToFileURL(__filename).href;`,
    },
    footer: { js: "})" },
  });
  const [bundle] = outputFiles;
  // V8 knows compiled code by the length of its source alone, so both files have the hash of the source in their names.
  const source = asciiOnly(bundle.text);
  const name = `server-${createHash("sha256").update(source).digest("hex").slice(0, 16)}`;
  const file = join(outdir, `${name}.cjs`);
  const codeFile = join(outdir, `${name}.code`);
  writeFileSync(file, source);
  copyFileSync(join(here, "load-bundle.mjs"), join(outdir, "load-bundle.mjs"));
  await compile(file, codeFile);
  const main = [
    `import { fileURLToPath } from "node:url";`,
    `import { runBundle } from "./load-bundle.mjs";`,
    `const path = (name) => fileURLToPath(new URL(name, import.meta.url));`,
    `runBundle(path("${name}.cjs"), path("${name}.code"));\n`,
  ];
  writeFileSync(join(outdir, "main.js.new"), main.join("\n"));
  renameSync(join(outdir, "main.js.new"), join(outdir, "main.js"));
  for (const old of readdirSync(outdir))
    if (/^(server-.*|.*\.map)$/.test(old) && !old.startsWith(name)) rmSync(join(outdir, old));
}

/**
 * esbuild leaves other characters in regular expressions, tagged templates and comments. One of them is enough for V8 to keep the whole
 * source with two bytes per character.
 */
const asciiOnly = (source) =>
  source.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Longer than this a start takes nowhere. */
const patienceMs = 20_000;

/** Starts the server once, in an empty home, so that what a start runs is compiled. Where it cannot start, there is no code file. */
async function compile(file, codeFile) {
  const home = mkdtempSync(join(tmpdir(), "patchbay-build-"));
  const args = ["--min-semi-space-size=4", join(here, "compile-bundle.mjs"), file, codeFile, "--port", "0"];
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const patience = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  child.stdout.once("data", () => child.kill("SIGTERM")); // it listens
  await new Promise((resolve) => {
    child.once("error", resolve);
    child.once("exit", resolve);
  });
  clearTimeout(patience);
  rmSync(home, { recursive: true, force: true });
}

// Runs the bundle of the server with the code that V8 compiled for it at build time. Without that code V8 compiles the bundle at every
// start, which took more than a third of the processor time of a start. `build.mjs` copies this file beside the bundle.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import vm from "node:vm";

/** V8 checks that the code is of its own version and flags. That it is of this bundle, the names of both files say: see `build.mjs`. */
export function runBundle(file, codeFile) {
  // Latin-1: the build writes ASCII only, which needs no decoding.
  const script = new vm.Script(readFileSync(file, "latin1"), {
    filename: file,
    cachedData: readIfThere(codeFile),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return script;
}

/** Absent: the build could not make it, and the server starts more slowly. */
function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

// `node compile-bundle.mjs <bundle> <code file> <arguments of the server…>`: runs the server, and when it ends, writes the code that V8
// compiled meanwhile. `build.mjs` starts and ends it.
import { renameSync, writeFileSync } from "node:fs";
import { runBundle } from "./load-bundle.mjs";

const [bundle, codeFile] = process.argv.splice(2, 2);
const script = runBundle(bundle, codeFile);
process.on("exit", () => {
  writeFileSync(`${codeFile}.new`, script.createCachedData());
  renameSync(`${codeFile}.new`, codeFile);
});

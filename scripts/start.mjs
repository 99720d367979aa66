#!/usr/bin/env node
// `npm start`: installs and builds what is missing, then becomes the server; `patchbay ext …` manages extensions.
import { checkNode, fail, installPackages } from "./install.mjs";

checkNode();
installPackages();
const { buildAll } = await import("./build.mjs");
const forExtensions = process.argv[2] === "ext";
try {
  await buildAll(forExtensions ? ["worker"] : undefined);
} catch (error) {
  fail(`The build failed: ${error instanceof Error ? error.message : String(error)}`);
}
await import(forExtensions ? "../dist/worker/cli.mjs" : "../dist/server/main.js");

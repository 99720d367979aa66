#!/usr/bin/env -S node --min-semi-space-size=4
// `npm start`: installs and builds what is missing, then becomes the server; `patchbay ext …` manages extensions,
// `patchbay import costs` reads what was spent outside, `patchbay login` lets a browser in.
// The space for new objects begins with 4 MB instead of 1: a relay makes many that live for a moment, and each
// time it is full the server pauses (a tenth of its time before).
import { checkNode, fail, installPackages } from "./install.mjs";

checkNode();
installPackages();
const { buildAll } = await import("./build.mjs");
const forExtensions = process.argv[2] === "ext";
const needed = {
  ext: ["worker"],
  import: ["server"],
  login: ["server"],
  logout: ["server"],
  user: ["server"],
  token: ["server"],
  help: ["server"],
  "--help": ["server"],
  "-h": ["server"],
  "--version": ["server"],
  "-v": ["server"],
};
try {
  await buildAll(needed[process.argv[2] ?? ""]);
} catch (error) {
  fail(`The build failed: ${error instanceof Error ? error.message : String(error)}`);
}
await import(forExtensions ? "../dist/worker/cli.mjs" : "../dist/server/main.js");

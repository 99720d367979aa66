#!/usr/bin/env node
// `npm start`: installs and builds what is missing, then becomes the server.
import { checkNode, fail, installPackages } from "./install.mjs";

checkNode();
installPackages();
const { buildAll } = await import("./build.mjs");
try {
  await buildAll();
} catch (error) {
  fail(`The build failed: ${error instanceof Error ? error.message : String(error)}`);
}
await import("../dist/server/main.js");

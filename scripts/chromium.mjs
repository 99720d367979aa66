// Finds a Chromium for the browser tests: one that is installed, else Debian's package when we are
// root, else Playwright's own download.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./install.mjs";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const macPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of a browser, installed if need be. */
export async function ensureChromium() {
  const named = process.env.PATCHBAY_CHROMIUM;
  if (named !== undefined && named !== "") return named;
  const found = findInstalled() ?? (await playwrightsOwn());
  if (found !== undefined) return found;
  if (await installFromDebian()) {
    const installed = findInstalled();
    if (installed !== undefined) return installed;
  }
  process.stderr.write("patchbay: downloading a Chromium with Playwright\n");
  await run("npx", ["playwright", "install", "chromium"]);
  const own = await playwrightsOwn();
  if (own !== undefined) return own;
  throw new Error(
    "No Chromium could be found or installed. Install one, or set PATCHBAY_CHROMIUM to its path.",
  );
}

function findInstalled() {
  const directories = (process.env.PATH ?? "").split(delimiter);
  const candidates = [
    ...directories.flatMap((directory) => names.map((name) => join(directory, name))),
    ...macPaths,
  ];
  return candidates.find((path) => existsSync(path));
}

async function playwrightsOwn() {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  return path !== "" && existsSync(path) ? path : undefined;
}

async function installFromDebian() {
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return false;
  process.stderr.write("patchbay: installing Debian's chromium for the browser tests\n");
  return (
    (await run("apt-get", ["update", "-qq"])) && (await run("apt-get", ["install", "-y", "-qq", "chromium"]))
  );
}

/** Whether the program succeeded. Not synchronous: the unit tests run meanwhile. */
async function run(program, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", 2, 2] });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}

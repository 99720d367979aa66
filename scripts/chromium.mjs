// Finds a Chromium for the browser tests: one that is installed, else Debian's package when we are
// root, else Playwright's own download. Tests take the headless shell where there is one: it has the same engine without the
// browser's own interface, and a story takes a seventh less processor time.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./install.mjs";

const headlessShell = "chromium-headless-shell";
const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const macPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of a browser that people use, installed if need be: for pictures and measurements. */
export const ensureChromium = () => ensureOneOf(names, "chromium");

/**
 * The same for tests. Where only the whole browser is installed, the shell of the same version is installed beside it if that is a matter
 * of seconds: all stories take a sixth less processor time with it.
 */
export async function ensureTestChromium() {
  const isNamed = (process.env.PATCHBAY_CHROMIUM ?? "") !== "";
  if (!isNamed && findInstalled([headlessShell]) === undefined && findInstalled(names) !== undefined)
    await installFromDebian(headlessShell, { withinMs: 60_000 });
  return ensureOneOf([headlessShell, ...names], headlessShell);
}

async function ensureOneOf(programs, debianPackage) {
  const named = process.env.PATCHBAY_CHROMIUM;
  if (named !== undefined && named !== "") return named;
  const found = findInstalled(programs) ?? (await playwrightsOwn());
  if (found !== undefined) return found;
  if (await installFromDebian(debianPackage)) {
    const installed = findInstalled(programs);
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

function findInstalled(programs) {
  const directories = (process.env.PATH ?? "").split(delimiter);
  const candidates = [
    ...programs.flatMap((name) => directories.map((directory) => join(directory, name))),
    ...macPaths,
  ];
  return candidates.find((path) => existsSync(path));
}

async function playwrightsOwn() {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  return path !== "" && existsSync(path) ? path : undefined;
}

async function installFromDebian(name, { withinMs } = {}) {
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return false;
  process.stderr.write(`patchbay: installing Debian's ${name} for the browser tests\n`);
  const signal = withinMs === undefined ? undefined : AbortSignal.timeout(withinMs);
  const install = ["install", "-y", "-qq", name];
  return (
    (await run("apt-get", ["update", "-qq"], signal)) &&
    (await run("apt-get", [...install, "--download-only"], signal)) &&
    (await run("apt-get", install)) // never interrupted: half of a package would be left
  );
}

/** Whether the program succeeded before the signal. Not synchronous: the unit tests run meanwhile. */
async function run(program, args, signal) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", 2, 2], signal });
  return new Promise((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}

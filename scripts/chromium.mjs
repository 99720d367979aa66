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

/** The same for tests. */
export const ensureTestChromium = () => ensureOneOf([headlessShell, ...names], headlessShell);

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

async function installFromDebian(name) {
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return false;
  process.stderr.write(`patchbay: installing Debian's ${name} for the browser tests\n`);
  return (await run("apt-get", ["update", "-qq"])) && (await run("apt-get", ["install", "-y", "-qq", name]));
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

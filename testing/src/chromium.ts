// Chromium in tests and benches: where it is, and its arguments.
import { existsSync } from "node:fs";

/** The features that Playwright disables. They are repeated because a second switch replaces the first. */
const playwrights = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** In Chromium 156 the address bar consists of two web pages. Every new context loads them, which takes half a second of CPU time. */
const addressBar = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];

export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  `--disable-features=${[...playwrights, ...addressBar].join(",")}`,
];

const installed = (...names: string[]): string | undefined =>
  names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** The browser that people use. `npm test` names the one that it found or installed. */
const fullChromium =
  process.env["PATCHBAY_FULL_CHROMIUM"] ?? installed("chromium", "chromium-browser", "google-chrome");

/** The same engine without the browser's own interface, where there is one: a story takes less processor time. */
const testChromium = process.env["PATCHBAY_CHROMIUM"] ?? installed("chromium-headless-shell") ?? fullChromium;

const launchOptions = (executablePath: string | undefined) => ({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: chromiumArguments,
});

export const testLaunch = launchOptions(testChromium);
/** For what the headless shell lacks: notifications. */
export const fullLaunch = launchOptions(fullChromium);

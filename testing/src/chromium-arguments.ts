// How Chromium is started for tests and benches.

/** What Playwright turns off: a second switch replaces the first. */
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

/** In Chromium 156 the address bar that nobody sees is two web pages: every new context loads them, for half a second of a processor. */
const addressBar = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];

export const chromiumArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  `--disable-features=${[...playwrights, ...addressBar].join(",")}`,
];

// The arguments of Chromium in tests and benches.

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

// The name of a browser in the list of devices: "Firefox on Android". A user agent contains the names of other browsers too, so the
// order of the patterns matters.

const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bEdgiOS\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\bHeadlessChrome\//, "Chrome (headless)"],
  [/\b(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** The user agent of a program begins with its name: `curl/8.5.0`. */
const maxProgramLength = 40;

export function deviceLabel(userAgent: string | undefined): string {
  const text = userAgent ?? "";
  const find = (names: readonly [RegExp, string][]) => names.find(([pattern]) => pattern.test(text))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  const program = /^[\w.-]+/.exec(text)?.[0]?.slice(0, maxProgramLength);
  return program ?? "Unknown browser";
}

// What a browser has to load before a transcript with code is shown, from the built page.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { repository } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";

const assets = join(repository, "dist/web/assets");
const page = readFileSync(join(repository, "dist/web/index.html"), "utf8");
const built = (beginning: string): string => {
  const found = readdirSync(assets).filter(
    (name) => name.startsWith(`${beginning}-`) && name.endsWith(".js"),
  );
  expect(found, beginning).toHaveLength(1);
  return found[0] ?? "";
};

/** A script and whatever it cannot run without. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const source = readFileSync(join(assets, name), "utf8");
  for (const [, imported = ""] of source.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g))
    withImports(imported, seen);
  return seen;
}

describe("the first load", () => {
  it("[Y79] is at most 200 KB of JavaScript, gzipped, with markdown, the colours and their language", () => {
    const scripts = [...page.matchAll(/(?:src|href)="[^"]*\/assets\/([\w.-]+\.js)"/g)].map(
      ([, name = ""]) => name,
    );
    const first = [...scripts, built("streamed-markdown"), built("highlight.worker"), built("typescript")];
    const needed = new Set(first.flatMap((name) => [...withImports(name)]));
    const sizes = [...needed].map(
      (name) => [name, gzipSync(readFileSync(join(assets, name))).length] as const,
    );
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    expect(total, JSON.stringify(Object.fromEntries(sizes))).toBeLessThanOrEqual(200 * 1024);
    expect([...needed].filter((name) => name.startsWith("temml"))).toEqual([]);
  });

  it("[Y93] is named in index.html and marked to be compiled whole", () => {
    const named = (expression: RegExp) => [...page.matchAll(expression)].map(([, name = ""]) => name);
    const scripts = named(/(?:src|href)="[^"]*\/assets\/([\w.-]+)-[\w-]{8}\.js"/g);
    expect(scripts).toEqual(["index", "rolldown-runtime", "first", "streamed-markdown"]);
    for (const name of ["index", "first", "streamed-markdown"])
      expect(readFileSync(join(assets, built(name)), "utf8")).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
    const fonts = named(/rel="preload" as="font" [^>]*\/assets\/([\w-]+)-[\w-]{8}\.woff2"/g);
    expect(fonts).toEqual(["inter-latin-wght-normal", "jetbrains-mono-latin-wght-normal"]);
  });
});

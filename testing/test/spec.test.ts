// spec/*.md and the tests agree: every rule is quoted by a test, every quoted rule is written down.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";

function* testFiles(directory: string): Generator<string> {
  for (const item of readdirSync(directory, { withFileTypes: true })) {
    if (item.name === "node_modules") continue;
    const path = join(directory, item.name);
    if (item.isDirectory()) yield* testFiles(path);
    // The titles of the conformance suite stand in its table of scenarios.
    else if (/\.(test|spec)\.tsx?$|test\/conformance\/\w+\.ts$/.test(path)) yield path;
  }
}

const rule = /\[([A-Z]\d+)\]/g;
const sources = ["apps", "packages", "testing", "e2e"].flatMap((name) => [
  ...testFiles(join(repository, name)),
]);
const quoted = new Set(
  sources.flatMap((path) => [...readFileSync(path, "utf8").matchAll(rule)].map((match) => match[1])),
);
const readSpec = (name: string): string => readFileSync(join(repository, "spec", name), "utf8");
const subjects = readdirSync(join(repository, "spec")).filter((name) => name !== "README.md");
const rules = subjects.flatMap((name) =>
  [...readSpec(name).matchAll(/\*\*([A-Z]\d+)\*\*/g)].map((match) => match[1]),
);
const written = new Set(rules);

describe("spec/", () => {
  it("has one rule of each name", () => {
    expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([]);
  });

  it("lists every rule that a test quotes", () => {
    expect([...quoted].filter((id) => !written.has(id))).toEqual([]);
  });

  it("lists no rule without a test", () => {
    expect(written.size).toBeGreaterThan(150);
    expect([...written].filter((id) => !quoted.has(id))).toEqual([]);
  });

  it("has every file in its index", () => {
    const index = readSpec("README.md");
    expect(subjects.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });
});

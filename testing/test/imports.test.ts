// The order of imports in each app and package: no cycle between files or folders (type imports count), and no folder that is
// too large to read. `node scripts/import-graph.mjs <root> --edges` shows the imports that make a cycle.
import { dirname, join } from "node:path";
import { repository } from "@patchbay/testing/server-process";
import { describe, expect, it } from "vitest";

type Graph = ReadonlyMap<string, Iterable<string>>;

const script: string = "../../scripts/import-graph.mjs"; // plain JavaScript, without types
const { importsOf, foldersOf, cyclesOf } = (await import(script)) as {
  importsOf(root: string): Graph;
  foldersOf(imports: Graph): Graph;
  cyclesOf(graph: Graph): string[][];
};

/** A folder with more gets subfolders. */
const maxFiles = 15;

interface Root {
  readonly root: string;
  /** Top folders, the highest first: a folder imports itself and lower layers. `.` is the files beside them. */
  readonly layers?: readonly (readonly string[])[];
}

const roots: readonly Root[] = [
  { root: "apps/server/src" }, // its order is in .oxlintrc.json
  { root: "apps/web/src" }, // its order is in its README, which a test of its own reads
  {
    root: "apps/worker/src",
    layers: [
      [".", "cli"],
      ["rpc"],
      ["agent"],
      ["context", "mcp", "extensions"],
      ["approvals"],
      ["features"],
      ["tools"],
      ["jail", "search", "models", "processes"],
      ["output", "config"],
    ],
  },
  {
    root: "packages/protocol/src",
    layers: [
      ["."],
      ["fold", "shares"],
      ["frames"],
      ["api"],
      ["commands"],
      ["transcript"],
      ["approvals"],
      ["events"],
      ["lines", "costs", "extension", "people"],
    ],
  },
  { root: "packages/sandbox/src" },
  { root: "packages/export/src" },
  { root: "packages/extension/src" },
];

describe.each(roots)("imports of $root", ({ root, layers }) => {
  const imports = importsOf(join(repository, root));

  it("has no cycle between files", () => {
    expect(imports.size).toBeGreaterThan(5); // the script found the sources
    expect(cyclesOf(imports)).toEqual([]);
  });

  it("has no cycle between folders", () => {
    expect(cyclesOf(foldersOf(imports))).toEqual([]);
  });

  it(`has no folder with more than ${maxFiles} source files`, () => {
    const counts = new Map<string, number>();
    for (const file of imports.keys())
      if (!/(^|\/)texts(\.de)?\.ts$/.test(file))
        counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    counts.delete("store/sqlite/migrations"); // a list in order, which only grows
    expect([...counts].filter(([, count]) => count > maxFiles)).toEqual([]);
  });

  if (layers === undefined) return;
  it("imports only what lies in a lower layer", () => {
    const layerOf = (folder: string): number => layers.findIndex((layer) => layer.includes(folder));
    const topOf = (file: string): string => (dirname(file) === "." ? "." : (file.split("/")[0] ?? ""));
    const unknown = [...imports.keys()].filter((file) => layerOf(topOf(file)) === -1);
    const upward = [...imports].flatMap(([file, targets]) =>
      [...targets]
        .filter((target) => topOf(target) !== topOf(file) && layerOf(topOf(target)) <= layerOf(topOf(file)))
        .map((target) => `${file} -> ${target}`),
    );
    expect({ unknown, upward }).toEqual({ unknown: [], upward: [] });
  });
});

// Finds names that more than one source file declares and exports; `node scripts/exported-names.mjs` prints them.
// The rule: one file declares a name. Exported twice, a name has two meanings, or one meaning in two places, and a reader cannot tell which
// is meant. A re-export (`export … from`) declares nothing, and a schema and the type inferred from it share their name in one file.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importsOf } from "./import-graph.mjs";
import { root } from "./install.mjs";

/** A `Map` of each exported name to the files that declare it. */
export function declarations() {
  const found = new Map();
  for (const source of sources()) {
    for (const file of importsOf(join(root, source)).keys()) {
      const text = readFileSync(join(root, source, file), "utf8");
      for (const [, name] of text.matchAll(declaration)) {
        if (!found.has(name)) found.set(name, new Set());
        found.get(name).add(`${source}/${file}`);
      }
    }
  }
  return found;
}

/** Those that several files declare, as `[name, files]`. */
export const ambiguousNames = () =>
  [...declarations()].filter(([, files]) => files.size > 1).map(([name, files]) => [name, [...files]]);

/** The formatter begins every declaration of a module at the start of a line. */
const declaration =
  /^export (?:default )?(?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

const sources = () =>
  ["apps", "packages"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/src`))
    .filter((source) => existsSync(join(root, source)));

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [name, files] of ambiguousNames()) console.log(`${name}\n  ${files.join("\n  ")}`);
}

// Reads the imports of an app's sources, type imports too, and finds cycles: between files, and between folders.
// `node scripts/import-graph.mjs apps/server/src` prints them and every folder with its number of files.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** A `Map` of each source file to the source files that it imports; paths are relative to `root`. */
export function importsOf(root) {
  const directory = resolve(root);
  const files = new Set(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(directory, join(entry.parentPath, entry.name))),
  );
  const imports = new Map();
  for (const file of [...files].sort()) {
    const text = readFileSync(join(directory, file), "utf8");
    const targets = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)]
      .map(([, target]) => relative(directory, resolve(directory, dirname(file), target)))
      .filter((target) => files.has(target));
    imports.set(file, [...new Set(targets)]);
  }
  return imports;
}

/**
 * The same between folders. A folder and its subfolders are different folders. A catalogue of texts belongs to a folder and its
 * subfolders, and imports nothing of them, so it counts as a folder of its own.
 */
export function foldersOf(imports) {
  const folders = new Map();
  for (const [file, targets] of imports) {
    const from = folderOf(file);
    if (!folders.has(from)) folders.set(from, new Set());
    for (const target of targets) if (folderOf(target) !== from) folders.get(from).add(folderOf(target));
  }
  return folders;
}

const folderOf = (file) => (basename(file) === "texts.ts" ? file : dirname(file));

/** Groups of nodes that import each other in a circle (strongly connected components, after Tarjan). */
export function cyclesOf(graph) {
  const order = new Map();
  const low = new Map();
  const stack = [];
  const cycles = [];
  const visit = (node) => {
    order.set(node, order.size);
    low.set(node, order.get(node));
    stack.push(node);
    for (const target of graph.get(node) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) low.set(node, Math.min(low.get(node), low.get(target)));
    }
    if (low.get(node) !== order.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1 || [...(graph.get(node) ?? [])].includes(node)) cycles.push(group);
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const imports = importsOf(process.argv[2] ?? ".");
  const folders = foldersOf(imports);
  for (const group of cyclesOf(imports)) console.log(`files in a cycle: ${group.join(" ")}`);
  for (const group of cyclesOf(folders)) {
    console.log(`folders in a cycle: ${group.join(" ")}`);
    for (const [file, targets] of imports) {
      const outside = targets.filter(
        (target) => dirname(target) !== dirname(file) && group.includes(dirname(target)),
      );
      if (process.argv.includes("--edges") && group.includes(dirname(file)) && outside.length > 0)
        console.log(`  ${file} -> ${outside.join(" ")}`);
    }
  }
  const counts = new Map();
  for (const file of imports.keys()) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  for (const [folder, count] of counts) console.log(`${String(count).padStart(4)} files  ${folder}`);
}

// Prints the files that a prompt passes on its way to the agent, and a delta on its way back, as ARCHITECTURE.md lists them,
// and checks the lists: every file exists, each is connected by imports to another of its app (through at most one file between
// them: an interface, a registry), and there are at most 30.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { importsOf } from "./import-graph.mjs";
import { root } from "./install.mjs";

const maxFiles = 30;
const apps = ["apps/web/src", "apps/server/src", "apps/worker/src"];

/** `{name, files, problems}` of each list. */
export function paths() {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const edges = connections();
  return [...text.matchAll(/^```path (\w+)\n([\s\S]*?)^```$/gm)].map(([, name, body]) => {
    const files = body.trim().split("\n");
    const problems = files
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `${file} does not exist`);
    for (const app of apps) {
      const own = files.filter((file) => file.startsWith(`${app}/`));
      const alone = own.filter((file) => own.every((other) => other === file || !isNear(edges, file, other)));
      problems.push(...alone.map((file) => `${file} is not connected to another file of the list`));
    }
    if (files.length > maxFiles) problems.push(`${files.length} files, more than ${maxFiles}`);
    return { name, files, problems };
  });
}

const isNear = (edges, file, other) =>
  [...(edges.get(file) ?? [])].some((near) => near === other || edges.get(near)?.has(other));

/** Each file with those that it imports or is imported by. */
function connections() {
  const edges = new Map();
  const add = (from, to) => edges.set(from, (edges.get(from) ?? new Set()).add(to));
  for (const app of apps) {
    for (const [file, targets] of importsOf(join(root, app))) {
      for (const target of targets) {
        add(`${app}/${file}`, `${app}/${target}`);
        add(`${app}/${target}`, `${app}/${file}`);
      }
    }
  }
  return edges;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { name, files, problems } of paths()) {
    console.log(`The way of a ${name}: ${files.length} files`);
    for (const file of files) console.log(`  ${file}`);
    for (const problem of problems) console.log(`PROBLEM: ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

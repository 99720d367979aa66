// Changed files as a tree of directories. A directory with nothing but one other in it is one line with it.
import type { ChangeEntry } from "./api.ts";

export type Node =
  | { kind: "directory"; name: string; path: string; children: Node[] }
  | { kind: "file"; name: string; file: ChangeEntry };

export function treeOf(files: readonly ChangeEntry[]): Node[] {
  const root: Node = { kind: "directory", name: "", path: "", children: [] };
  for (const file of files) {
    const parts = file.path.split("/");
    let here = root;
    for (const name of parts.slice(0, -1)) {
      const known = here.children.find((node) => node.kind === "directory" && node.name === name);
      const path = here.path === "" ? name : `${here.path}/${name}`;
      const next =
        known?.kind === "directory" ? known : { kind: "directory" as const, name, path, children: [] };
      if (known === undefined) here.children.push(next);
      here = next;
    }
    here.children.push({ kind: "file", name: parts.at(-1) ?? file.path, file });
  }
  return sorted(root.children.map(joined));
}

function joined(node: Node): Node {
  if (node.kind === "file") return node;
  const [only] = node.children;
  if (node.children.length === 1 && only?.kind === "directory")
    return joined({ ...only, name: `${node.name}/${only.name}` });
  return { ...node, children: sorted(node.children.map(joined)) };
}

const sorted = (nodes: Node[]): Node[] =>
  nodes.toSorted(
    (a, b) => Number(a.kind === "file") - Number(b.kind === "file") || a.name.localeCompare(b.name),
  );

/** In the order they are shown. */
export const filesInTree = (nodes: readonly Node[]): ChangeEntry[] =>
  nodes.flatMap((node) => (node.kind === "file" ? [node.file] : filesInTree(node.children)));

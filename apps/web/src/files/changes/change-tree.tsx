// The tree of changed files.
import { FolderOpen } from "lucide-react";
import type { ChangeEntry } from "../api.ts";
import { filesTexts } from "../texts.ts";
import type { Node } from "../tree.ts";

const marks = {
  added: ["A", "text-added-ink"],
  modified: ["M", "text-working"],
  deleted: ["D", "text-removed-ink"],
  renamed: ["R", "text-accent"],
} as const;

type Change = keyof typeof marks;
const isKnown = (change: string): change is Change => change in marks;

interface Props {
  nodes: readonly Node[];
  chosen: string | null;
  /** By a click: a phone, which shows no file beside the list, marks none before. */
  picked: boolean;
  /** How many comments each file has. */
  commentsOn(path: string): number;
  onChoose(file: ChangeEntry): void;
  depth?: number;
}

export function ChangeTree({ nodes, depth = 0, ...props }: Props) {
  const indent = { paddingLeft: `${depth * 14 + 12}px` };
  return (
    <ul>
      {nodes.map((node) =>
        node.kind === "directory" ? (
          <li key={`d ${node.path}`}>
            <p className="flex h-7 items-center gap-2 truncate text-sm text-faint phone:h-9" style={indent}>
              <FolderOpen size={13} aria-hidden className="shrink-0" /> {node.name}
            </p>
            <ChangeTree nodes={node.children} depth={depth + 1} {...props} />
          </li>
        ) : (
          <li key={`f ${node.file.path}`}>
            <button
              type="button"
              aria-current={node.file.path === props.chosen ? "true" : undefined}
              title={node.file.from === undefined ? node.file.path : `${node.file.from} → ${node.file.path}`}
              onClick={() => props.onChoose(node.file)}
              style={indent}
              className={`flex h-7 w-full items-center gap-2 pr-3 text-left text-sm -outline-offset-2 phone:h-11 ${node.file.path === props.chosen ? `bg-selected text-ink ${props.picked ? "" : "phone:bg-transparent phone:text-muted"}` : "text-muted hover:bg-hover hover:text-ink"}`}
            >
              <Mark change={node.file.change} />
              <span className="min-w-0 flex-1 truncate">{node.name}</span>
              {props.commentsOn(node.file.path) > 0 && (
                <span className="rounded-sm bg-needs-soft px-1 text-xs text-accent tabular-nums">
                  {props.commentsOn(node.file.path)}
                </span>
              )}
              <Lines file={node.file} />
            </button>
          </li>
        ),
      )}
    </ul>
  );
}

function Mark({ change }: { change: string }) {
  const [letter, ink] = isKnown(change) ? marks[change] : ["?", ""];
  return (
    <span className={`w-3 shrink-0 font-mono text-xs ${ink}`}>
      {letter}
      <span className="sr-only"> {isKnown(change) ? filesTexts[change] : change}</span>
    </span>
  );
}

export const Lines = ({ file: { added, removed } }: { file: Pick<ChangeEntry, "added" | "removed"> }) =>
  added === null || removed === null ? (
    <span className="text-xs text-faint">{filesTexts.binary}</span>
  ) : (
    <span className="shrink-0 font-mono text-xs tabular-nums">
      {added > 0 && <span className="text-added-ink">+{added}</span>}{" "}
      {removed > 0 && <span className="text-removed-ink">−{removed}</span>}
    </span>
  );

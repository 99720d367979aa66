// The session's directory as a tree, and the chosen file beside or below it. A directory is fetched when it is opened.
import { ChevronDown, ChevronRight, File, Link2 } from "lucide-react";
import { useState } from "react";
import { formatBytes } from "../format/bytes.ts";
import { Skeleton } from "../ui/feedback/skeleton.tsx";
import { type DirectoryEntry, listFiles } from "./api.ts";
import { moveByArrows } from "./arrow-keys.ts";
import { FileView } from "./file-view.tsx";
import { ListAndFile } from "./list-and-file.tsx";
import { filesTexts } from "./texts.ts";
import { useRefetched } from "./use-refetched.ts";

interface Props {
  session: string;
  edition: number;
  /** Empty: none is chosen. */
  path: string;
  line: number | null;
  /** The file has changed in this session. */
  changed: boolean;
  onChoose(path: string): void;
  onShowChanges(path: string): void;
}

export function FileTree({ session, edition, path, line, changed, onChoose, onShowChanges }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(parentsOf(path)));
  // A link may lead to a file whose directories are closed.
  const [shown, setShown] = useState(path);
  if (shown !== path) {
    setShown(path);
    setOpen(new Set([...open, ...parentsOf(path)]));
  }
  const toggle = (directory: string): void =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(directory)) next.add(directory);
      return next;
    });
  return (
    <ListAndFile
      label={filesTexts.allFiles}
      picked={path !== ""}
      onKeyDown={moveByArrows}
      list={
        <Directory
          session={session}
          edition={edition}
          directory=""
          open={open}
          chosen={path}
          depth={0}
          onToggle={toggle}
          onChoose={onChoose}
        />
      }
    >
      {path === "" ? (
        <p className="p-6 text-sm text-muted">{filesTexts.chooseFile}</p>
      ) : (
        <FileView
          session={session}
          path={path}
          line={line}
          edition={edition}
          onBack={() => onChoose("")}
          onShowChanges={changed ? () => onShowChanges(path) : null}
        />
      )}
    </ListAndFile>
  );
}

/** "a" and "a/b" of "a/b/c.ts". */
const parentsOf = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join("/"));

interface DirectoryProps {
  session: string;
  edition: number;
  directory: string;
  open: ReadonlySet<string>;
  chosen: string;
  depth: number;
  onToggle(directory: string): void;
  onChoose(path: string): void;
}

function Directory(props: DirectoryProps) {
  const { session, edition, directory, open, chosen, depth, onToggle, onChoose } = props;
  const { data, error } = useRefetched(directory, edition, () => listFiles(session, directory));
  const indent = { paddingLeft: `${depth * 14 + 12}px` };
  if (data === null)
    return error === null ? (
      <div role="status" aria-label={filesTexts.loadingFiles} style={indent} className="py-1.5">
        <Skeleton className="h-3 w-32" />
      </div>
    ) : (
      <p role="alert" style={indent} className="py-1.5 pr-3 text-sm text-failed">
        {error}
      </p>
    );
  return (
    <>
      <ul>
        {data.entries.map((entry) => {
          const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
          const isDirectory = entry.kind === "directory";
          const isOpen = isDirectory && open.has(path);
          return (
            <li key={entry.name}>
              <button
                type="button"
                disabled={entry.kind === "other"}
                aria-expanded={isDirectory ? isOpen : undefined}
                aria-current={path === chosen ? "true" : undefined}
                onClick={() => (isDirectory ? onToggle(path) : onChoose(path))}
                style={indent}
                className={`flex h-7 w-full items-center gap-2 pr-3 text-left text-sm -outline-offset-2 phone:h-11 ${path === chosen ? "bg-selected text-ink" : "text-muted hover:bg-hover hover:text-ink"}`}
              >
                <Icon entry={entry} open={isOpen} />
                <span className="min-w-0 flex-1 truncate">{entry.name}</span>
                {entry.bytes !== undefined && (
                  <span className="shrink-0 text-xs text-faint tabular-nums">{formatBytes(entry.bytes)}</span>
                )}
              </button>
              {isOpen && <Directory {...props} directory={path} depth={depth + 1} />}
            </li>
          );
        })}
      </ul>
      {data.entries.length === 0 && (
        <p style={indent} className="py-1 text-sm text-faint">
          {filesTexts.emptyDirectory}
        </p>
      )}
      {data.more && (
        <p style={indent} className="py-1 pr-3 text-sm text-faint">
          {filesTexts.moreFiles}
        </p>
      )}
    </>
  );
}

function Icon({ entry: { kind }, open }: { entry: DirectoryEntry; open: boolean }) {
  const Shape = kind === "directory" ? (open ? ChevronDown : ChevronRight) : kind === "link" ? Link2 : File;
  return <Shape size={13} aria-hidden className="shrink-0 text-faint" />;
}

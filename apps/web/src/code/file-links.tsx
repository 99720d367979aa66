// Paths in answers and in the output of tools, as links that open the file at its line. Where a link leads is known to the
// view that shows the text: a text outside of a session has no links.
import { createContext, type MouseEvent, type ReactNode, useContext } from "react";
import { isPath, pathsIn } from "./find-paths.ts";

export interface FileTarget {
  href: string;
  open(): void;
}

/** Null: no file of this session. */
export type FileLinker = (path: string, line: number | null) => FileTarget | null;

export const FileLinkContext = createContext<FileLinker | null>(null);

/** A text with the paths in it. `whole`: it is in quotes, so that a name without a directory can be a path too. */
export function FileLinks({ text, whole = false }: { text: string; whole?: boolean }): ReactNode {
  const linker = useContext(FileLinkContext);
  if (linker === null || (whole && !isPath(text))) return text;
  return linked(text, linker, whole);
}

function linked(text: string, linker: FileLinker, whole: boolean): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { start, length, path, line } of pathsIn(text, whole)) {
    const target = linker(path, line);
    if (target === null) continue;
    if (start > end) parts.push(text.slice(end, start));
    end = start + length;
    parts.push(
      <FileLink key={start} target={target}>
        {text.slice(start, end)}
      </FileLink>,
    );
  }
  if (parts.length === 0) return text;
  return [...parts, text.slice(end)];
}

/** A text that stands for a file, as a line number does. */
export function PathLink({
  path,
  line,
  children,
}: {
  path: string;
  line: number | null;
  children: ReactNode;
}) {
  const target = useContext(FileLinkContext)?.(path, line) ?? null;
  return target === null ? children : <FileLink target={target}>{children}</FileLink>;
}

export function FileLink({ target, children }: { target: FileTarget; children: ReactNode }) {
  const open = (event: MouseEvent): void => {
    // With a key the browser opens it elsewhere.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    target.open();
  };
  return (
    <a href={target.href} data-file onClick={open} className="file-link">
      {children}
    </a>
  );
}

// Paths, shortened where nothing is lost: a file inside the session's directory is shown from there,
// and a directory of the usual home places from its ~.
export function relativeTo(path: string, directory: string): string {
  const base = directory.endsWith("/") ? directory : `${directory}/`;
  return path.startsWith(base) && path.length > base.length ? path.slice(base.length) : path;
}

export function shortDirectory(path: string): string {
  return path.replace(/^\/(?:home\/[^/]+|Users\/[^/]+|root)(?=\/|$)/, "~");
}

export const baseName = (path: string): string => path.replace(/\/+$/, "").split("/").pop() ?? path;

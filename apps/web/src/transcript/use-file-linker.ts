// Which paths in the transcript are files of the session, and where they are opened.
import { useMemo } from "react";
import { base } from "../api/http/base.ts";
import type { FileLinker } from "../code/file-links.tsx";
import { useFeed, useFeedState } from "../connection/use-feed.ts";
import { relativeTo } from "../format/path.ts";
import { filesAddress, openFiles } from "../navigation/files-address.ts";

export function useFileLinker(): FileLinker {
  const { id } = useFeed();
  const cwd = useFeedState(({ session }) => session?.cwd ?? "");
  return useMemo(
    () => (written, line) => {
      const path = relativeTo(written, cwd).replace(/^(?:\.\/)+/, "");
      // What is outside of the session's directory is not shown there.
      if (path === "" || path.startsWith("/") || path.split("/").includes("..")) return null;
      return { href: base + filesAddress(id, { path, line }), open: () => openFiles(id, { path, line }) };
    },
    [id, cwd],
  );
}

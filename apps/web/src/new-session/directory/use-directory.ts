// What the server knows of a typed path: the directories it may mean, and the one it names.
import type { DirectoryList } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { completeDirectory } from "../../api/directories.ts";
import { errorMessage } from "../../format/error-message.ts";

export type DirectoryAnswer =
  | { state: "loading" }
  | { state: "ready"; list: DirectoryList }
  | { state: "failed"; message: string };

/** A keystroke that follows at once is not worth a request. */
const stillMs = 80;

/** `path` null: nothing is asked. While a longer path is asked for, the last answer stays. */
export function useDirectory(path: string | null): DirectoryAnswer {
  const [answer, setAnswer] = useState<{ path: string | null; state: DirectoryAnswer }>({
    path: null,
    state: { state: "loading" },
  });
  useEffect(() => {
    if (path === null) return;
    let gone = false;
    const timer = setTimeout(() => {
      completeDirectory(path).then(
        (list) => !gone && setAnswer({ path, state: { state: "ready", list } }),
        (error: unknown) =>
          !gone && setAnswer({ path, state: { state: "failed", message: errorMessage(error) } }),
      );
    }, stillMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [path]);
  const isOfPath = answer.path === path;
  return isOfPath ? answer.state : { state: "loading" };
}

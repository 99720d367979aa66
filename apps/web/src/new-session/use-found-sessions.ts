// The sessions that other programs left in a directory, fetched shortly after the last change of its path.
import type { FoundSession } from "@patchbay/protocol";
import { useEffect, useState } from "react";
import { ApiError } from "../api/http/call.ts";
import { listFound } from "../api/imports.ts";
import { errorMessage } from "../format/error-message.ts";

export interface FoundSessionList {
  sessions: readonly FoundSession[];
  /** Why they could not be listed. */
  problem: string | null;
}

const nothing: FoundSessionList = { sessions: [], problem: null };
const stillMs = 250;

export function useFoundSessions(cwd: string): FoundSessionList {
  const [answer, setAnswer] = useState({ cwd, found: nothing });
  useEffect(() => {
    let gone = false;
    const setFound = (found: FoundSessionList): void => setAnswer({ cwd, found });
    const timer = setTimeout(() => {
      listFound(cwd).then(
        (sessions) => !gone && setFound({ sessions, problem: null }),
        (error: unknown) => {
          // An unfinished path is no error yet; starting there shows one beside the field.
          const unfinished = error instanceof ApiError && error.code === "bad_directory";
          if (!gone && !unfinished) setFound({ sessions: [], problem: errorMessage(error) });
        },
      );
    }, stillMs);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [cwd]);
  return answer.cwd === cwd ? answer.found : nothing;
}

// The workers that can be started here, fetched whenever a view that starts one is shown.
import { useEffect, useState } from "react";
import { listWorkers, type Workers } from "../api/sessions.ts";
import { errorMessage } from "../format/error-message.ts";

export type WorkersState =
  | { state: "loading" }
  | { state: "ready"; workers: Workers }
  | { state: "failed"; message: string };

export function useWorkers(): WorkersState {
  const [state, setState] = useState<WorkersState>({ state: "loading" });
  useEffect(() => {
    let gone = false;
    listWorkers().then(
      (workers) => !gone && setState({ state: "ready", workers }),
      (error: unknown) => !gone && setState({ state: "failed", message: errorMessage(error) }),
    );
    return () => {
      gone = true;
    };
  }, []);
  return state;
}

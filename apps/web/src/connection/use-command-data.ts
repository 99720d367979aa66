// What the worker of the open session answers to a command without arguments, asked once when a component is shown.
import { useEffect, useState } from "react";
import { errorMessage } from "../format/error-message.ts";
import { useFeed } from "./use-feed.ts";

export type CommandData =
  | { state: "waiting" }
  | { state: "ready"; data: unknown }
  | { state: "failed"; message: string };

export function useCommandData(type: string): CommandData {
  const feed = useFeed();
  const [answer, setAnswer] = useState<CommandData>({ state: "waiting" });
  useEffect(() => {
    let gone = false;
    feed.ask({ type }).then(
      (data) => !gone && setAnswer({ state: "ready", data }),
      (error: unknown) => !gone && setAnswer({ state: "failed", message: errorMessage(error) }),
    );
    return () => {
      gone = true;
    };
  }, [feed, type]);
  return answer;
}

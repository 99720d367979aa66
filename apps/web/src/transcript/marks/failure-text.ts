// What went wrong, as a heading and a text: the same words in the transcript and for those who hear it.
import type { Mark } from "@patchbay/protocol";
import { exitWords } from "./worker-exit.ts";

export interface FailureWords {
  title: string;
  text: string;
}

/** Null for a mark that tells of no failure. */
export function failureWords(mark: Mark): FailureWords | null {
  if (mark.kind === "turn")
    return mark.error === null ? null : { title: "The turn ended with an error", text: mark.error };
  if (mark.kind === "error") return { title: "That did not work", text: mark.message };
  if (mark.kind !== "worker_exit") return null;
  const { title, advice } = exitWords(mark.reason, mark.stderr);
  return { title, text: advice };
}

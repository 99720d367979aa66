// What went wrong, as a heading and a text: the same in the transcript and for screen readers.
import type { Mark } from "@patchbay/protocol";
import { exitText } from "./exit-text.ts";
import { marksTexts as texts } from "./texts.ts";

export interface FailureText {
  title: string;
  text: string;
}

/** Null for a mark of another kind. */
export function failureText(mark: Mark): FailureText | null {
  if (mark.kind === "turn") return mark.error === null ? null : { title: texts.turnFailed, text: mark.error };
  if (mark.kind === "error") return { title: texts.error, text: mark.message };
  if (mark.kind !== "worker_exit") return null;
  const { title, advice } = exitText(mark.reason, mark.stderr);
  return { title, text: advice };
}

// What was written in this session before, brought back by the arrow keys: from the newest to the oldest, and
// back to what was being written. Pure.

export interface HistoryPlace {
  /** How far back; 0: what is being written. */
  back: number;
  /** What was being written when one went back. */
  draft: string;
}

export const atDraft: HistoryPlace = { back: 0, draft: "" };

/** `prompts`: oldest first. Null: there is nothing further in that direction. */
export function walkHistory(
  prompts: readonly string[],
  place: HistoryPlace,
  text: string,
  step: 1 | -1,
): { place: HistoryPlace; text: string } | null {
  const back = place.back + step;
  if (back < 0 || back > prompts.length) return null;
  const draft = place.back === 0 ? text : place.draft;
  if (back === 0) return { place: atDraft, text: draft };
  return { place: { back, draft }, text: prompts[prompts.length - back] ?? "" };
}

/** The same prompt twice in a row is one step. */
export const withoutRepeats = (prompts: readonly string[]): string[] =>
  prompts.filter((prompt, index) => prompt.trim() !== "" && prompt !== prompts[index - 1]);

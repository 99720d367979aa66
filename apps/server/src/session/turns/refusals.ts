// Why a task is not taken, in words for the one who asked.
export const closing = "The server is shutting down; nothing new is started.";
export const full =
  "The queue of this session is full, or the prompt is too large for it. Remove something from it, or wait.";
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
export const notSaved = (error: unknown): string => `It could not be saved: ${wordsOf(error)}`;

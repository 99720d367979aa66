// The turns a worker can run; loaded with the first one.
export { runCompaction } from "./compaction.ts";
export { runPrompt } from "./prompt-turn.ts";

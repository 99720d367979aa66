// Warnings to the person about files that could not be used. Each is shown once, because the files are read again
// with every turn.
import type { WorkerOutput } from "./worker-output.ts";

export type ShowNotice = (message: string) => void;

/** More warnings than this have one cause, and would only scroll. */
const maxNotices = 50;

export function noticesTo(output: WorkerOutput, extension: string): ShowNotice {
  const shown = new Set<string>();
  return (message) => {
    if (shown.has(message) || shown.size >= maxNotices) return;
    shown.add(message);
    output.write({ type: "ext_notify", extension, level: "warn", message });
  };
}

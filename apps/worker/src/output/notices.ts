// Words to the person about files that could not be used. Each is said once: the files are looked at
// with every turn, and a mistake in one stays until somebody mends it.
import type { Output } from "./output.ts";

export type Notice = (message: string) => void;

/** So many different mistakes are one mistake; the rest would only scroll. */
const maxNotices = 50;

export function noticesTo(output: Output, extension: string): Notice {
  const said = new Set<string>();
  return (message) => {
    if (said.has(message) || said.size >= maxNotices) return;
    said.add(message);
    output.write({ type: "ext_notify", extension, level: "warn", message });
  };
}

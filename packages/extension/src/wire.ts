// The two pipes of an extension: frames in, frames out. Nothing else may be written to stdout, so that a
// library that logs there is sent to stderr.
import { Console } from "node:console";
import { StringDecoder } from "node:string_decoder";
import type { ExtensionFrame, HostFrame, PanelSpec } from "@patchbay/protocol/extension";

export type { ExtensionFrame, HostFrame, PanelSpec };
export type FromHost<T extends HostFrame["type"]> = Extract<HostFrame, { type: T }>;
export type AnswerTo<T extends ExtensionFrame["type"]> = Extract<ExtensionFrame, { type: T }>;

export const send = (frame: ExtensionFrame): void => {
  process.stdout.write(`${JSON.stringify(frame)}\n`);
};

export const log = (...values: unknown[]): void => {
  process.stderr.write(
    `${values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ")}\n`,
  );
};

const inspect = (value: unknown): string =>
  value instanceof Error ? (value.stack ?? value.message) : JSON.stringify(value);

/** From here on a library that logs does so on stderr. */
export function keepStdoutClean(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}

/** Resolves when the host has closed our input. */
export async function receive(take: (frame: HostFrame) => void): Promise<void> {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  for await (const chunk of process.stdin) {
    const [first = "", ...others] = decoder.write(chunk).split("\n");
    parts.push(first);
    for (const next of others) {
      const line = parts.join("");
      parts = [next];
      if (line.trim() !== "") takeLine(line, take);
    }
  }
}

/** The host is who started us, and is believed; a line that is none is left out. */
function takeLine(line: string, take: (frame: HostFrame) => void): void {
  try {
    take(JSON.parse(line));
  } catch (error) {
    log(error);
  }
}

// Extensions for tests: small programs of a few lines, written into the worker's home before its first
// command (nothing is started before that), and what they heard.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AnyFrame } from "@patchbay/testing/worker-client";
import { type Rig, startRig } from "../rig.ts";

/** `emit`, `on(type, handler)` and `hello()`; without more it answers shutdown and the end of its input. */
const prelude = (name: string): string => `
const emit = (frame) => process.stdout.write(JSON.stringify(frame) + "\\n");
const handlers = {};
const on = (type, handler) => { handlers[type] = handler; };
const hello = () => emit({ type: "hello", name: ${JSON.stringify(name)}, version: "1.0.0", capabilities: ["commands"] });
let rest = "";
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop();
  for (const line of lines) { const message = JSON.parse(line); handlers[message.type]?.(message); }
});
process.stdin.on("end", () => handlers.end ? handlers.end() : process.exit(0));
on("shutdown", () => { emit({ type: "shutdown_ack" }); process.exit(0); });
`;

export interface ExtensionSpec {
  readonly source: string;
  readonly manifest?: Record<string, unknown>;
}

export async function writeExtension(
  directory: string,
  name: string,
  { source, manifest = {} }: ExtensionSpec,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "main.mjs"), prelude(name) + source);
  const written = { name, version: "1.0.0", exec: process.execPath, args: ["main.mjs"], ...manifest };
  await writeFile(join(directory, "extension.json"), JSON.stringify(written, null, 2));
}

/** A worker with these extensions installed for the person, in the order of their names. */
export async function startWith(
  extensions: Record<string, string | ExtensionSpec>,
  options: Parameters<typeof startRig>[0] = {},
): Promise<Rig> {
  const rig = await startRig(options);
  for (const [name, given] of Object.entries(extensions)) {
    const spec = typeof given === "string" ? { source: given } : given;
    await writeExtension(join(globalExtensions(rig), name), name, spec);
  }
  return rig;
}

export const globalExtensions = (rig: Rig): string => join(rig.home, ".patchbay", "extensions");
export const projectExtensions = (rig: Rig): string => join(rig.directory, ".patchbay", "extensions");
/** An extension's log, once it holds this; the test's own timeout is the limit. */
export async function logged(rig: Rig, name: string, words: string): Promise<string> {
  for (;;) {
    const log = await readFile(logOf(rig, name), "utf8").catch(() => "");
    if (log.includes(words)) return log;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const logOf = (rig: Rig, name: string): string =>
  join(rig.home, ".patchbay", "logs", `ext-${name}.log`);

/** The names of all slash commands that extensions brought. */
export async function commandNames(rig: Rig): Promise<string[]> {
  const { data } = (await rig.worker.ask({ type: "get_commands" })) as AnyFrame & {
    data: { commands: { name: string; source: string }[] };
  };
  return data.commands.filter(({ source }) => source !== "patchbay").map(({ name }) => name);
}

/** What was said about an extension, sooner or later; the worker starts them with its first command. */
export const trouble = (rig: Rig, event: string, error = /./): Promise<AnyFrame> =>
  rig.worker.some(
    (frame) =>
      frame.type === "extension_error" && frame["event"] === event && error.test(String(frame["error"])),
  );

const root = fileURLToPath(new URL("../../../..", import.meta.url));
export const fixture = (name: string): string => join(root, "testing/extensions", name);
